//! The program: the command line, and the rulesets that are shipped in it.

mod shipped;

fn main() -> std::process::ExitCode {
    grognard::cli::main(shipped::SHIPPED)
}
