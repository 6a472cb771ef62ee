/**
 * Tree-sitter grammar for the rules language of Grognard. It follows `grammar/rules.pest`.
 *
 * One item, member, statement, row or claim is on each line. The scanner (`src/scanner.c`) ends a line at a line break,
 * unless the next line begins with a word that continues it. Inside `( )` and `[ ]`, and after an operator, a comma or an
 * open bracket, a line break is white space.
 */

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

const comma = (rule) => seq(rule, repeat(seq(",", rule)));
const lines = ($, rule) => seq(rule, repeat(seq($._end, rule)), optional(";"));
const block = ($, rule) => seq("{", lines($, rule), "}");
const blockOrEmpty = ($, rule) => seq("{", optional(lines($, rule)), "}");
const row = (part) => seq("|", part, repeat(seq("|", part)), "||", part, repeat(seq("|", part)), "|");
const word = (rule) => field("name", rule);

const PREC = { or: 1, and: 2, compare: 3, shift: 4, rounded: 5, add: 6, multiply: 7, call: 8 };

module.exports = grammar({
  name: "grognard",

  externals: ($) => [
    $._newline, $.or_none, $._arithmetic_end, $._condition_end, $._value_end, $._no_pair, $._no_filter, $._no_bound,
    $._no_query, $.added_line, $.removed_line, $.context_line, $._error,
  ],

  extras: ($) => [/[ \t\r\n\uFEFF]/, $.comment],

  word: ($) => $.name,

  inline: ($) => [$._primary, $._operand, $._effect, $._block_or_statement, $._typed, $._title],

  supertypes: ($) => [$.item],

  rules: {
    source_file: ($) =>
      optional(lines($, choice($._header, $._cited_item))),

    _header: ($) => choice($.ruleset_header, $.variant_header),
    ruleset_header: ($) =>
      seq("ruleset", word($.path), optional(seq("version", field("version", $.string))),
        optional(seq("extends", field("extends", $.path)))),
    variant_header: ($) =>
      seq("variant", word($.path), "of", field("of", $.path), optional(seq("version", field("version", $.string)))),

    // the line ends around it, and those before a closing bracket, are white space
    _end: ($) => choice($._newline, ";"),

    // ---------------------------------------------------------------- tokens
    comment: (_) => token(/#[^\n]*/),
    die: (_) => /[0-9]*d[0-9]+/,
    name: (_) => /[a-z][A-Za-z0-9_]*/,
    type_name: (_) => /[A-Z][A-Za-z0-9_]*/,
    clause_id: (_) => /[A-Z][A-Z0-9]*-[A-Z]?[0-9]+/,
    path: (_) => /[a-z0-9]+([-_.]+[a-z0-9]+)*(\/[a-z0-9]+([-_.]+[a-z0-9]+)*)*/,
    number: (_) => /[0-9]+(\.[0-9]+)?["%°]?/,
    string: (_) => /"[^"\n]*"/,
    yes: (_) => "yes",
    no: ($) => seq("no", $._no_query),
    none: (_) => "none",
    wildcard: (_) => "_",

    // ---------------------------------------------------------------- parts
    cite: ($) => seq("cite", comma($.clause_id)),
    _above: ($) => seq($.cite, $._end),
    _title: ($) => field("title", $.string),
    _typed: ($) => seq(":", field("type", $._type)),
    _type: ($) => choice($.list_type, $.optional_type, $._plain_type),
    _plain_type: ($) => choice($.type_name, $.range_type),
    optional_type: ($) => seq($._plain_type, "?"),
    list_type: ($) => seq("list", "of", $.type_name),
    range_type: ($) => prec.right(seq($._fixed, "..", optional($._fixed))),
    parameters: ($) => seq("(", optional(comma($.parameter)), ")"),
    parameter: ($) => seq(word($.name), optional($._typed), optional(seq("=", field("default", $.expression)))),
    when_clause: ($) => seq("when", field("condition", $._condition)),
    slot: ($) => prec.right(seq($.name, repeat($._field))),
    _field: ($) => seq(".", field("field", $.field_name)),
    field_name: (_) => token.immediate(/[A-Za-z][A-Za-z0-9_]*/),

    // ---------------------------------------------------------------- items
    _cited_item: ($) => seq(optional($._above), $.item),
    item: ($) => choice(
      $.section, $.paragraph, $.param_item, $.reading_item, $.enum_item, $.chain_item, $.die_item, $.state_item, $.tally_item,
      $.kind_item, $.record_item, $.let_item, $.table_item, $.trait_item, $.test_item, $.proc_item, $.phase_item,
      $.action_item, $.event_item, $.rule_item, $.policy_item, $.law_item, $.extern_item, $.open_item, $.stand_in_item,
      $.example_item, $.override_item, $.change_item, $.extend_item, $.remove_item),

    section: ($) => seq("section", $._title),
    // the id of a clause, the rest of its line, and the indented lines below it
    paragraph: ($) => seq(field("clause", $.clause_id), $.paragraph_text),
    paragraph_text: (_) => token.immediate(/[ \t]+[^\n]+(\n[ \t]+[^\n]+)*/),
    param_item: ($) =>
      seq("param", word($.name), optional($._typed), optional($._title), "=", field("value", $.expression),
        optional($.sweep), optional($.cite)),
    sweep: ($) => seq("sweep", comma($._range)),
    reading_item: ($) =>
      seq("reading", word($.name), optional($._typed), optional($._title), "=", $.alternative,
        repeat1(seq("or", $.alternative)), optional(seq("because", field("reason", $.string))),
        optional(seq("default", "because", field("default_reason", $.string))), optional($.cite)),
    alternative: ($) => seq(field("value", $._arithmetic), optional($._title)),
    enum_item: ($) =>
      seq("enum", word($.type_name), optional($._title), "{", alias($.type_name, $.case),
        repeat(seq(choice("<", ","), alias($.type_name, $.case))), "}", optional($.cite)),
    chain_item: ($) =>
      seq("chain", word($.type_name), optional($._title), "=", $.die, repeat1(seq("<", $.die)), optional($.cite)),
    die_item: ($) =>
      seq("die", word($.type_name), "of", field("type", $._type), optional($._title), "=", comma($.side),
        optional($.cite)),
    side: ($) => choice(seq($.number, optional($.type_name)), seq("-", $.number), $.type_name),
    state_item: ($) => seq($._state, optional($.cite)),
    tally_item: ($) => seq("tally", word($.name), optional($._title), optional($.cite)),
    kind_item: ($) =>
      seq("kind", word($.type_name), optional($._title),
        optional(choice(seq("on", "board"), seq("group", "of", $.name, optional(seq("stays", "when", "empty"))))),
        field("members", $.members)),
    members: ($) => blockOrEmpty($, $._member),
    _member: ($) =>
      seq(choice($.owner_member, $.stat_member, $.state_member, $.link_member, alias($._let, $.let_member)),
        optional($.cite)),
    owner_member: ($) => seq("owner", word($.name)),
    stat_member: ($) =>
      seq("stat", word($.name), optional($.parameters), $._typed, optional(seq("=", field("value", $.expression))),
        optional($._title)),
    state_member: ($) => $._state,
    _state: ($) =>
      seq("state", word($.name), $._typed, optional(seq("=", field("value", $.expression))), optional($._title)),
    link_member: ($) => seq("link", word($.name), $._typed, optional("tree")),
    record_item: ($) => seq("record", word($.type_name), $.parameters, optional($._title)),
    let_item: ($) => $._let,
    _let: ($) => seq($._let_head, "=", field("value", $.expression)),
    _let_head: ($) =>
      seq("let", optional(seq(field("of", $.type_name), ".")), word($.name), optional($.parameters),
        optional($._typed), optional($._title)),

    table_item: ($) =>
      seq("table", word($.name), $.parameters, $._typed, optional($._title), block($, $.table_row), optional($.cite)),
    table_row: ($) => seq("|", repeat1(seq(optional($.cell), "|")), optional($.cite)),
    cell: ($) => choice(alias("-", $.no_value), comma($._cell_part)),
    _cell_part: ($) => choice($._arithmetic, $.band, $.value_range),
    value_range: ($) => seq($._arithmetic, "to", optional("under"), $._arithmetic),

    trait_item: ($) =>
      seq(field("sort", choice("trait", "status", "condition")), word($.type_name), optional($.parameters),
        optional($._title), "on", field("on", $.type_name), optional($.when_clause), optional($.trait_body)),
    trait_body: ($) => block($, $._trait_member),
    _trait_member: ($) => choice(
      seq(optional($._above), $.rule_item),
      seq(choice($.replace_member, $.modify_member, $.forbid_member, alias($._let, $.let_member)), optional($.cite))),
    replace_member: ($) =>
      seq("replace", word($.name), optional($.parameters), "=", field("value", $.expression), optional($.when_clause),
        optional(seq("over", $.type_name))),
    modify_member: ($) =>
      seq("modify", word($.name), choice("+=", "-=", "*=", seq("at", choice("most", "least"))),
        field("value", $.expression), optional($.when_clause), optional(seq("over", $.type_name))),
    forbid_member: ($) => seq("forbid", comma($.type_name), optional($.when_clause)),

    test_item: ($) =>
      seq("test", word($.type_name), $.parameters, optional(seq("->", field("result", $.type_name))),
        optional($._title), field("body", $.block)),
    proc_item: ($) =>
      seq("proc", word($.name), $.parameters, optional(seq("->", field("result", $._type))), optional($._title),
        field("body", $.block)),
    phase_item: ($) =>
      seq("phase", word($.type_name), optional($.parameters), optional($._title),
        optional(seq("shares", comma($.parameter))), field("body", $.block)),
    action_item: ($) =>
      seq("action", word($.type_name), optional($._title), "in", comma($.type_name), optional(seq("by", $.name)),
        field("body", $.block)),
    event_item: ($) => seq("event", word($.type_name), $.parameters, optional($._title)),
    rule_item: ($) =>
      seq("rule", word($.type_name), optional($._title), optional(seq(choice("before", "after"), $.type_name)), "on",
        $.trigger, optional(seq("as", field("event", $.name))), optional($.when_clause), field("body", $.block)),
    trigger: ($) => choice(
      seq("destroy", "of", $.type_name),
      seq(choice("start", "end"), "of", choice($.type_name, seq("action", optional(seq("in", $.type_name))))),
      $.type_name),
    law_item: ($) => seq("law", word($.type_name), optional($._title), "=", field("value", $.expression)),
    policy_item: ($) => seq("policy", word($.type_name), optional($._title), block($, $.policy_entry)),
    policy_entry: ($) => seq(choice("action", word($.name)), "=", comma($.preference)),
    preference: ($) => choice(
      $._best, seq(choice($.name, $.type_name, $.yes, $.none, $.no, "stop"), optional($.when_clause))),
    _best: ($) => seq(choice("most", "least"), $._arithmetic),

    stand_in_item: ($) =>
      seq("stand-in", choice($.section, $.test_item, $.proc_item, $.phase_item, $.action_item, $.rule_item)),
    extern_item: ($) => seq("extern", choice($.extern_let, $.extern_test, $.extern_proc, $.event_item)),
    extern_let: ($) =>
      seq("let", word($.name), $.parameters, $._typed, optional($._title), "default", field("value", $.expression)),
    extern_test: ($) =>
      seq("test", word($.type_name), $.parameters, optional(seq("->", field("result", $.type_name))),
        optional($._title), optional(seq("gives", comma($.parameter))), "default", field("body", $.block)),
    extern_proc: ($) =>
      seq("proc", word($.name), $.parameters, optional($._title), "default", field("body", $.block)),
    open_item: ($) => seq("open", choice($.open_phase, $.open_let, $.open_proc)),
    open_phase: ($) => seq("phase", word($.type_name), optional($.parameters), optional($._title)),
    open_let: ($) => $._let_head,
    open_proc: ($) =>
      seq("proc", word($.name), $.parameters, optional(seq("->", field("result", $._type))), optional($._title)),

    override_item: ($) =>
      seq("override", choice($.override_cell, $.override_reading, $.param_item, $.let_item, $.table_item, $.die_item,
        $.trait_item, $.test_item, $.proc_item, $.phase_item, $.action_item, $.rule_item, $.policy_item, $.law_item,
        $.example_item)),
    override_cell: ($) => seq(word($.name), "[", comma($.expression), "]", "=", field("value", $.expression)),
    override_reading: ($) =>
      seq("reading", word($.name), "=", field("value", $._arithmetic),
        optional(seq("because", field("reason", $.string)))),
    change_item: ($) =>
      seq("change",
        field("sort", choice("param", "let", "table", "die", "trait", "status", "condition", "test", "proc", "phase",
          "action", "rule", "policy", "law")),
        optional(seq(field("of", $.type_name), ".")), word(choice($.type_name, $.name)),
        optional($.change_under), $.change_body),
    change_under: ($) => seq("under", field("reading", $.name), "=",
      field("answer", choice($.type_name, $.name, $.number, $.yes, $.no))),
    // lines of another item, as in a unified diff
    change_body: ($) => seq("{", repeat(choice($.added_line, $.removed_line, $.context_line)), "}"),
    extend_item: ($) => seq("extend", "kind", word($.type_name), field("members", $.members)),
    remove_item: ($) => seq("remove", choice("action", "rule", "law", "policy", "example"), choice($.type_name, $.string)),

    // ---------------------------------------------------------------- examples
    example_item: ($) =>
      seq("example", $._title, optional($.example_subject), repeat(choice($.with, $.under, $.rolling, $.choosing)),
        "{", choice($.example_table, lines($, $.claim)), "}"),
    example_subject: ($) => seq("for", choice(alias($._subject_call, $.call), $.stand_in), repeat(seq(",", $.stand_in))),
    _subject_call: ($) => seq(field("function", choice($.type_name, $.name)), $.arguments),
    stand_in: ($) => seq(word($.name), ":", $.type_name),
    with: ($) => seq("with", comma($.given)),
    given: ($) =>
      seq($.name, repeat(choice($.arguments, $._field)),
        choice(seq("has", $.type_name, optional($.arguments)), seq("=", field("value", $._arithmetic)))),
    under: ($) => seq("under", comma($.setting)),
    setting: ($) => seq(word($.name), "=", field("value", $._arithmetic)),
    rolling: ($) => seq("rolling", comma($.throw)),
    throw: ($) => seq(optional(seq(optional(seq(choice(word($.name), $.type_name), ".")), word($.name), "=")), choice($.list, $.number, $.type_name, $.name)),
    choosing: ($) => seq("choosing", comma($.pick)),
    pick: ($) => seq(word($.name), "=", choice($._best, "stop", $._arithmetic)),
    claim: ($) => seq($._claimed, optional(seq("=", field("value", $.expression)))),
    _claimed: ($) => choice(
      $.offered, seq(optional(choice("chance", "mean")), $._condition, optional(seq("given", $._condition)))),
    offered: ($) => seq(optional("not"), "offered", $.type_name, optional($.arguments)),
    example_table: ($) => seq($.example_head, repeat1(seq($._end, $.example_row))),
    example_head: ($) => row(alias($._claimed, $.column)),
    example_row: ($) => row($._arithmetic),

    // ---------------------------------------------------------------- statements
    block: ($) => blockOrEmpty($, $._cited_statement),
    _cited_statement: ($) => seq(optional($._above), $.statement),
    statement: ($) => choice($._simple_statement, $.if_statement, alias($.match_expression, $.match_statement)),
    _simple_statement: ($) => choice(
      $.let_statement, $.set_statement, $.do_call, $.test_call, $.choose_action, $.choose_option, $.choose_from,
      $.each_statement, $.return_statement, $.may_statement, $.roll_statement, $.draw_statement, $.reroll_statement,
      $.grant_statement, $.run_statement, $.emit_statement, $.move_statement, $.destroy_statement, $.var_statement,
      $.place_statement, $.repeat_statement, $.stop_statement, $.needs_statement, $.cost_statement,
      $.limit_statement, $.pass_statement, $.grade_statement, $.revoke_statement, $.end_statement, $.turn_statement,
      $.spawn_statement, $.merge_statement, $.cancel_statement, $.at_once_statement),
    _block_or_statement: ($) => choice($.block, $.statement),

    let_statement: ($) =>
      seq("let", choice(word($.name), $.name_tuple), optional($._typed), "=", field("value", choice($._effect, $.expression))),
    _effect: ($) => choice($.move, $.do_call, $.test_call),
    name_tuple: ($) => seq("(", $.name, repeat1(seq(",", $.name)), ")"),
    var_statement: ($) => seq("var", word($.name), optional($._typed), "=", field("value", $.expression)),
    roll_statement: ($) =>
      seq("roll", word($.name), optional(seq("as", $.string)), optional($.decider), "=", field("dice", $._arithmetic),
        optional(seq("of", field("die", $._arithmetic)))),
    draw_statement: ($) =>
      seq("draw", optional($.amount), word($.name), optional(seq("as", $.string)), optional($.decider), "in", $._range,
        optional($.filter), optional($.or_none), optional(seq("weight", $._arithmetic))),
    reroll_statement: ($) =>
      prec.right(seq(choice("reroll", "explode"), $.name,
        optional(seq("in", $.name, optional($.filter), optional(seq("at", "most", $._arithmetic)))))),
    set_statement: ($) =>
      seq("set", field("target", $.slot), choice("+=", "-=", "="), field("value", $.expression), optional($.until)),
    grant_statement: ($) =>
      seq("grant", $.type_name, optional($.arguments), "to", field("target", $.slot), optional($.until)),
    revoke_statement: ($) =>
      seq("revoke", optional("all"), $.type_name, optional($.arguments), "from", field("target", $.slot)),
    until: ($) => seq("until", choice($.mark, $.duration_match)),
    mark: ($) => prec.right(seq(choice("start", "end"), "of", $.type_name, optional(seq("for", $.slot)))),
    duration_match: ($) => seq("match", optional("first"), $._condition, block($, $.duration_row)),
    duration_row: ($) => seq($._patterns, optional($.when_clause), "=>", choice($.mark, $.none), optional($.cite)),

    if_statement: ($) => seq("if", $._condition, $._branches),
    _branches: ($) => prec.right(seq($.block, repeat(seq("else", "if", $._condition, $.block)), optional(seq("else", $.block)))),

    decider: ($) => seq("by", choice($.slot, $.tuple)),
    choose_action: ($) =>
      prec.right(seq("choose", "action", optional($.decider), optional(seq("or", "stop", optional($.when_clause))))),
    choose_option: ($) => seq("choose", word($.name), optional($.decider), block($, $.option)),
    option: ($) =>
      seq(word($.name), optional($.when_clause), optional(seq("prefer", optional($.when_clause))), "=>", $._body,
        optional($.cite)),
    choose_from: ($) =>
      seq("choose", optional($.amount), word($.name), optional($.decider), "in", $._range, optional($.filter),
        optional($.or_none), optional($.prefer)),
    prefer: ($) => seq("prefer", choice($._best, seq(optional(choice($.none, "all")), "when", $._condition))),
    amount: ($) => seq($._amount, optional(seq("..", optional($._amount))), "of"),
    _amount: ($) => choice($._postfix, alias($._amount_sum, $.binary_expression)),
    _amount_sum: ($) => prec.left(seq($._amount, choice("+", "-", "*", "/"), $._postfix)),
    may_statement: ($) =>
      seq("may", word($.name), optional($.decider), optional($.when_clause),
        optional(seq("prefer", optional($.when_clause))), $.block),

    each_statement: ($) =>
      seq("each", $.binding, optional($.filter), optional(choice($.chosen, seq("ordered", "by", $._arithmetic))),
        $._block_or_statement),
    chosen: ($) => seq("chosen", "as", word($.name), optional($.decider)),
    at_once_statement: ($) => seq("all", "at", "once", $.block),
    repeat_statement: ($) => prec.right(seq("repeat", $._block_or_statement, optional(seq("while", $._condition)))),

    move_statement: ($) => prec.right(seq($.move, optional(seq("else", $._block_or_statement)))),
    move: ($) => prec.right(seq("move", field("subject", $.slot), block($, $.move_line), optional($.meeting))),
    meeting: ($) =>
      seq("on", "meeting", "{", repeat(seq($._cited_statement, $._end)), lines($, $.match_row), "}"),
    move_line: ($) => seq($._move_line, optional($.when_clause), optional($.cite)),
    _move_line: ($) => choice(
      seq("at", "least", $._arithmetic),
      seq(choice(seq("at", "most"), "exactly"), $._arithmetic, optional(seq("as", word($.name)))),
      seq("toward", $._arithmetic),
      seq("away", "from", $._arithmetic),
      seq("no", "nearer", "to", $._arithmetic),
      seq("ends", "within", $._arithmetic, "of", $._arithmetic),
      seq("ends", "where", $._condition),
      seq("never", "where", $._condition),
      seq("along", $._arithmetic),
      seq("heading", $._range),
      seq("straight", "for", $._arithmetic),
      seq("keeps", "facing"),
      seq("bends", "at", "most", $._arithmetic),
      seq("avoids", $._arithmetic),
      seq("through", $._arithmetic),
      seq("stops", choice(seq("where", $._condition), seq("on", "contact", optional(seq("with", $._arithmetic))))),
      seq("costs", $.name, "=>", $._arithmetic)),

    place_statement: ($) => seq("place", $.slot, "at", $.expression),
    turn_statement: ($) => seq("turn", $.slot, choice("by", "to"), $.expression),
    destroy_statement: ($) => seq("destroy", $.slot, optional($.string)),
    spawn_statement: ($) =>
      seq("spawn", word($.name), ":", $.type_name, "{", $.field_value,
        repeat(seq(choice($._end, ","), $.field_value)), "}"),
    field_value: ($) => seq(word($.name), "=", field("value", $.expression)),
    merge_statement: ($) => seq("merge", $.slot, "into", $.slot),
    do_call: ($) => seq("do", field("function", choice($.name, $.type_name)), $.arguments),
    test_call: ($) =>
      prec.right(seq("test", field("function", choice($.name, $.type_name)), $.arguments,
        optional(seq("with", comma($.setting))))),
    run_statement: ($) => seq("run", field("function", choice($.name, $.type_name)), optional($.arguments)),
    emit_statement: ($) => seq("emit", field("function", choice($.name, $.type_name)), $.arguments),
    return_statement: ($) => prec.right(seq("return", optional($.expression))),
    stop_statement: (_) => "stop",
    end_statement: ($) => seq("end", $.type_name),
    cancel_statement: (_) => seq("cancel", "action", optional(seq("and", "return", "cost"))),
    pass_statement: ($) => seq("pass", "when", $._condition),
    grade_statement: ($) => seq("grade", $.expression),
    needs_statement: ($) => prec.right(seq("needs", $._condition, optional(seq("else", $.string)))),
    limit_statement: ($) =>
      seq("limit", $._arithmetic, "per", $.type_name, optional(seq("for", $._arithmetic)), optional($.when_clause)),
    cost_statement: ($) => seq("cost", $._arithmetic, $.name),

    // ---------------------------------------------------------------- expressions
    // The scanner marks the end of each expression with an empty token. So the states of an expression do not depend on
    // what follows it, and the parser is a fraction of the size.
    expression: ($) => choice($.if_expression, $.match_expression, $._value),
    if_expression: ($) => seq("if", $._condition, $._values),
    _values: ($) =>
      seq("then", $._value, repeat(seq("else", "if", $._condition, "then", $._value)), "else", $._value),
    _value: ($) => seq(choice($._logical, $.otherwise_expression), $._value_end),
    _condition: ($) => seq($._logical, $._condition_end),
    _arithmetic: ($) => seq($._sum, $._arithmetic_end),
    _range: ($) => seq(choice($._sum, $.range), $._arithmetic_end),
    range: ($) => seq($._sum, "..", choice($._sum, $._no_bound)),

    otherwise_expression: ($) => seq($._logical, repeat1(seq("otherwise", $._logical))),
    _logical: ($) => choice($._test, $.logical_expression),
    logical_expression: ($) => choice(
      prec.left(PREC.or, seq($._logical, "or", $._logical)),
      prec.left(PREC.and, seq($._logical, "and", $._logical))),
    _test: ($) => choice($.not_expression, $._simple_test),
    not_expression: ($) => seq("not", $._simple_test),
    _simple_test: ($) => choice($._sum, $.comparison),
    comparison: ($) => seq($._sum, choice(
      seq(choice("==", "!=", "<=", ">=", "<", ">"), $._arithmetic),
      seq("has", optional("no"), $.type_name),
      seq("is", optional("not"), $.pattern),
      seq(optional("not"), "in", $._range),
      seq("within", $._arithmetic, "of", $._arithmetic),
      seq("sees", $._arithmetic),
      seq("nearer", "to", $._arithmetic, "than", "to", $._arithmetic))),

    _sum: ($) => choice($._operand, $.binary_expression, $.shift_expression, $.rounded_expression),
    binary_expression: ($) => choice(
      prec.left(PREC.add, seq($._sum, choice("+", "-"), $._sum)),
      prec.left(PREC.multiply, seq($._sum, choice("*", "/"), $._sum))),
    shift_expression: ($) => prec.left(PREC.shift, seq($._sum, choice("up", "down"), $._sum)),
    rounded_expression: ($) => prec.left(PREC.rounded, seq($._sum, "rounded", choice("down", "up", "nearest"))),
    _operand: ($) => choice($.unary_expression, $._postfix, $.query, $.pool_query),
    unary_expression: ($) => seq(choice("-", "was"), choice($._postfix, $.query, $.pool_query)),
    _postfix: ($) => choice($._primary, $.call, $.field_access),
    call: ($) => seq(field("function", $._postfix), $.arguments),
    field_access: ($) => seq(field("of", $._postfix), $._field),
    arguments: ($) => seq("(", optional(comma($.argument)), ")"),
    argument: ($) => seq(optional(seq(word($.name), ":")), $.expression),
    _primary: ($) => choice($.tuple, $.list, $.name, alias($._query_word, $.name), $.type_name, $.yes, $.no, $.none, $.die, $.number),
    // words that begin a query are names elsewhere
    _query_word: ($) =>
      seq(choice("count", "any", "all", "every", "sum", "most", "least", "nearest", "farthest"), $._no_query),
    tuple: ($) => seq("(", comma($.expression), ")"),
    list: ($) => seq("[", optional(comma($.expression)), "]"),

    query: ($) => choice(
      seq("every", $._bindings, optional($.filter), ":", $._condition),
      seq("sum", $._bindings, optional($.filter), "of", $._arithmetic),
      seq(choice("most", "least"), $.binding, optional($.filter), "by", $._arithmetic),
      seq(choice("nearest", "farthest"), $.binding, "to", $._arithmetic, $._filtered),
      seq(choice("count", "any", "all", "no"), $._bindings, $._filtered)),
    _bindings: ($) => seq($.binding, choice(seq("against", $.binding), $._no_pair)),
    _filtered: ($) => choice($.filter, $._no_filter),
    binding: ($) => seq(word($.name), "in", $._range),
    filter: ($) => seq("where", $._condition),
    // any dice <= 3
    pool_query: ($) =>
      seq(choice("every", "count", "any", "no"),
        choice($.list, seq($.name, repeat(choice($.arguments, $._field)))),
        choice("==", "!=", "<=", ">=", "<", ">"), $._arithmetic),

    // ---------------------------------------------------------------- patterns
    match_expression: ($) => seq("match", optional("first"), field("value", $._condition), block($, $.match_row)),
    match_row: ($) => seq($._patterns, optional($.when_clause), "=>", $._body, optional($.cite)),
    _body: ($) => choice($.block, $._simple_statement, $.match_expression, $._value, $.if_body),
    if_body: ($) => seq("if", $._condition, choice($._branches, $._values)),
    _patterns: ($) => seq($.pattern, repeat(seq("|", $.pattern))),
    pattern: ($) => choice(
      $.wildcard, $.else_pattern, $.band, $.tuple_pattern, $.none, $.some_pattern, $.past_pattern, $.case_pattern,
      $.value_pattern),
    else_pattern: (_) => "else",
    band: ($) => prec.right(PREC.call, choice(
      seq("over", $._arithmetic, optional(seq("to", $._arithmetic))),
      seq(choice("under", seq("at", choice("least", "most"))), $._arithmetic))),
    tuple_pattern: ($) => seq("(", $._patterns, repeat1(seq(",", $._patterns)), ")"),
    some_pattern: ($) => seq("some", choice($.name, $.case_pattern, $.wildcard)),
    past_pattern: ($) => prec.right(PREC.call, seq("past", choice("top", "bottom"), choice($.name, $._no_bound))),
    case_pattern: ($) => prec.right(PREC.call, seq($.type_name, optional(choice(seq(".", $.type_name), seq("(", $.name, ")"))))),
    value_pattern: ($) => prec.right(PREC.call, seq($._fixed, optional(seq("to", optional("under"), $._fixed)))),
    _fixed: ($) =>
      prec.right(PREC.call, seq(optional("-"), choice(
        $.die, seq($.number, optional(seq("/", $.number))), $.yes, $.no, seq($.name, optional($._field))))),
  },
});
