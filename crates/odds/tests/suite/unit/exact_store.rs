//! Inside `exact/store`.

use grognard_base::value::*;
use grognard_odds::interner::*;
use grognard_vm::Frame;
use grognard_vm::Running;
use grognard_vm::State;
use grognard_vm::TagRow;
use grognard_vm::UseRow;
use grognard_vm::What;

#[test]
fn positions_come_back_as_they_were() {
    let mut start = State::default();
    start.cells.extend([1, 2, 3, i64::MIN, 5]);
    let mut state = start.clone();
    state.cells[0] = -7;
    state.cells[4] = i64::MIN + 2;
    state.granted = vec![1, 2, 300];
    state.tags.push(TagRow { tag: 3, thing: -1, key: 9, depth: 2, data: vec![4, -4] });
    state.uses.push(UseRow { running: u32::MAX, action: ActionId(2), line: 3, key: -1, times: 2 });
    state.running.push(Running { what: What::Action(ActionId(5)), frame: 1, base: 7, actor: -1, ending: true });
    state.frames.push(Frame { func: FuncId(3), back: 17, base: u32::MAX, dst: 2, heap: u32::MAX });
    state.stack = vec![0, i64::MAX, -1];
    state.heap = vec![1 << 62];
    state.cursors = vec![3];
    (state.pc, state.base) = (99, 4);
    let (mut bytes, mut shapes) = (Vec::new(), Shapes::default());
    // others were met in between, so that it is found again among many
    let mut others: Vec<State> = (0..20).map(|pc| State { pc, ..state.clone() }).collect();
    others.push(state.clone());
    for state in others.iter().chain(&others) {
        bytes.clear();
        Writer(&mut bytes).state(state, &start, &mut shapes);
        let mut back = State::default();
        Reader(&bytes).state(&mut back, &start, &shapes);
        assert_eq!(back, *state);
    }
}

#[test]
fn each_is_kept_once() {
    let mut store = Interner::default();
    for n in 0..1000u32 {
        let key = n.to_le_bytes();
        assert_eq!(store.find(&key), None);
        assert_eq!(store.add(&key), n);
    }
    assert_eq!(store.find(&77u32.to_le_bytes()), Some(77));
    assert_eq!(store.count(), 1000);
    assert_eq!(store.get(0), [0; 4]);
}
