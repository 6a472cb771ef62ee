fn main() {
    let mut w = machine::W1::new();
    if std::env::args().len() > 1 { println!("{}", w.listing()); return; }
    println!("{}", w.trials(1, 100000));
}
#[path = "../benches/w1/machine.rs"]
mod machine;
