/** Finds elements by the steps of a locator: by CSS, text, role or label. This function runs in the page. */
export function find(steps) {
  const flat = (text) => text.replace(/\s+/g, ' ').trim();
  const shown = (each) => each.checkVisibility() && each.getClientRects().length > 0;
  const matches = (text, wanted, exact) => (wanted?.source !== undefined ? new RegExp(wanted.source, wanted.flags).test(flat(text)) : exact ? flat(text) === flat(wanted) : flat(text).toLowerCase().includes(flat(wanted).toLowerCase()));
  const named = (each) => each.getAttribute("aria-label") ?? each.textContent;
  const ROLES = { button: 'button, [role=button]' };
  let all = [document];
  for (const step of steps) {
    const inside = (css) => [...new Set(all.flatMap((each) => [...each.querySelectorAll(css)]))];
    if (step.css !== undefined) {
      all = inside(step.css.replaceAll(':visible', ''));
      if (step.css.includes(':visible')) all = all.filter(shown);
      if (step.hasText !== undefined) all = all.filter((each) => matches(each.textContent, step.hasText));
    } else if (step.text !== undefined) {
      // the innermost elements with the text
      const found = inside('*').filter((each) => matches(each.textContent, step.text, step.exact));
      all = found.filter((each) => !found.some((other) => other !== each && each.contains(other)));
    } else if (step.role !== undefined) {
      all = inside(ROLES[step.role]).filter((each) => shown(each) && (step.name === undefined || matches(named(each), step.name, step.exact)));
    } else if (step.label !== undefined) {
      all = inside('input, select, textarea').filter((each) => [each.getAttribute('aria-label'), ...[...(each.labels ?? [])].map((label) => label.textContent)].some((text) => text !== null && matches(text, step.label, step.exact)));
    } else {
      all = all.slice(...(step.nth < 0 ? [step.nth] : [step.nth, step.nth + 1]));
    }
  }
  return all;
}
