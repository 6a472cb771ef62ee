; Colors. The last pattern that matches a node decides in Neovim and Helix, so general patterns come first.
(comment) @comment

(string) @string

(number) @number

(die) @number

(name) @variable

(type_name) @type

(case) @constant

(field_name) @property

(path) @module

(clause_id) @label
(paragraph_text) @comment.documentation

[
  (yes)
  (no)
] @boolean

(none) @constant.builtin

(wildcard) @variable.parameter

[
  "action"
  "chain"
  "change"
  "condition"
  "die"
  "enum"
  "event"
  "example"
  "extend"
  "extern"
  "kind"
  "law"
  "let"
  "link"
  "open"
  "override"
  "owner"
  "param"
  "phase"
  "policy"
  "proc"
  "reading"
  "record"
  "remove"
  "rule"
  "ruleset"
  "section"
  "stat"
  "state"
  "status"
  "table"
  "tally"
  "test"
  "trait"
  "variant"
] @keyword.type

[
  "if"
  "then"
  "else"
  "match"
  "first"
  "return"
  "stop"
  "repeat"
  "while"
  "each"
] @keyword.control

[
  "any"
  "all"
  "count"
  "every"
  "no"
  "sum"
  "most"
  "least"
  "nearest"
  "farthest"
  "against"
  "where"
  "of"
  "by"
] @keyword

[
  "after"
  "along"
  "as"
  "at"
  "avoids"
  "away"
  "because"
  "before"
  "bends"
  "board"
  "bottom"
  "cancel"
  "chance"
  "choose"
  "choosing"
  "chosen"
  "contact"
  "cost"
  "costs"
  "default"
  "destroy"
  "do"
  "draw"
  "emit"
  "empty"
  "end"
  "ends"
  "exactly"
  "explode"
  "extends"
  "facing"
  "for"
  "forbid"
  "from"
  "given"
  "gives"
  "grade"
  "grant"
  "group"
  "heading"
  "into"
  "keeps"
  "limit"
  "list"
  "may"
  "mean"
  "meeting"
  "merge"
  "modify"
  "move"
  "needs"
  "never"
  "offered"
  "on"
  "once"
  "ordered"
  "over"
  "pass"
  "past"
  "per"
  "place"
  "prefer"
  "replace"
  "reroll"
  "revoke"
  "roll"
  "rolling"
  "run"
  "set"
  "shares"
  "some"
  "spawn"
  "start"
  "stays"
  "stops"
  "straight"
  "sweep"
  "than"
  "through"
  "to"
  "top"
  "toward"
  "tree"
  "turn"
  "under"
  "until"
  "var"
  "version"
  "weight"
  "when"
  "with"
  "cite"
] @keyword

[
  "and"
  "or"
  "not"
  "otherwise"
  "has"
  "is"
  "in"
  "within"
  "sees"
  "nearer"
  "was"
  "up"
  "down"
  "rounded"
] @keyword.operator

[
  "+"
  "-"
  "*"
  "/"
  "="
  "=="
  "!="
  "<"
  "<="
  ">"
  ">="
  "+="
  "-="
  "*="
  "->"
  "=>"
  ".."
  "?"
] @operator

[
  "("
  ")"
  "["
  "]"
  "{"
  "}"
] @punctuation.bracket

[
  ","
  ";"
  ":"
  "."
  "|"
  "||"
] @punctuation.delimiter

(or_none) @keyword

(parameter
  name: (name) @variable.parameter)

(stand_in
  name: (name) @variable.parameter)

(let_item
  name: (name) @function)

(extern_let
  name: (name) @function)

(open_let
  name: (name) @function)

(table_item
  name: (name) @function)

(proc_item
  name: (name) @function)

(extern_proc
  name: (name) @function)

(open_proc
  name: (name) @function)

(call
  function: (name) @function.call)

(do_call
  function: (name) @function.call)

(param_item
  name: (name) @constant)

(reading_item
  name: (name) @constant)

(added_line) @diff.plus

(removed_line) @diff.minus

(context_line) @none
