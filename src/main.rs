//! The command line.

fn main() -> std::process::ExitCode {
    grognard::cli::main()
}
