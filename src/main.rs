//! The program: the command line, the rulesets that are shipped in it, and the page of the studio.

/// The files of the page; none, if it was not built.
static PAGE: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

fn main() -> std::process::ExitCode {
    grognard_cli::main(grognard::shipped::SHIPPED, PAGE)
}
