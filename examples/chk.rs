#[path = "../tests/bodies/show.rs"]
mod show;
use grognard::base::*;
use grognard::rules::*;
struct L(String);
impl Library for L {
    fn read(&self, p: &str) -> Result<Option<String>, String> {
        Ok(std::fs::read_to_string(format!("{}/{}", self.0, p)).ok())
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let mut s = Sources::default();
    let l = load(&a[2], &L(a[1].clone()), &mut s);
    let sev = a.get(3).map(|x| x.as_str()).unwrap_or("all");
    for p in &l.problems {
        if sev == "err" && !p.is_error() {
            continue;
        }
        let at = p
            .span
            .map(|sp| {
                let src = s.get(sp.file).unwrap();
                let pl = src.place(sp.start);
                format!("{}:{}:{}", src.name, pl.line, pl.column)
            })
            .unwrap_or_default();
        println!(
            "{:?} {} {at}: {}  | {}",
            p.severity,
            p.code,
            p.message,
            p.span.map(|sp| s.slice(sp).lines().next().unwrap_or("").to_string()).unwrap_or_default()
        );
    }
    println!("ruleset: {}", l.ruleset.is_some());
    if let Some(r) = l.ruleset {
        println!("functions {} sites {} ambients {}", r.functions.len(), r.sites.len(), r.ambients.len());
        if sev == "dump" {
            for a in &r.actions {
                println!("ACTION {}", a.name);
                let f = &r.functions[a.func.at()];
                let sh = show::Show { rs: &r, locals: &f.locals };
                for h in &a.header {
                    println!("   {}", sh.header(h));
                }
            }
            for rec in &r.records {
                println!(
                    "RECORD {} {:?}",
                    rec.name,
                    rec.fields.iter().map(|(n, t)| format!("{n}: {}", r.type_name(t))).collect::<Vec<_>>()
                );
            }
            for f in &r.functions {
                println!("{}", show::function(&r, f));
            }
        }
    }
}
