//! Writes the binding of the engine to JavaScript: `bindgen ENGINE.wasm FOLDER`. It does the same as the program `wasm-bindgen`,
//! without the dependencies of its test runner.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(engine), Some(folder)) = (args.next(), args.next()) else { return Err("bindgen ENGINE.wasm FOLDER".into()) };
    let mut bindgen = wasm_bindgen_cli_support::Bindgen::new();
    bindgen.input_path(engine).web(true)?.typescript(true).remove_producers_section(true).out_name("engine");
    bindgen.generate(folder).map_err(|why| why.into())
}
