; Scopes, the names that they declare, and the uses of names.
[
  (let_item)
  (table_item)
  (trait_item)
  (test_item)
  (proc_item)
  (phase_item)
  (action_item)
  (rule_item)
  (extern_item)
  (example_item)
  (block)
  (query)
  (each_statement)
  (match_row)
] @local.scope

(parameter
  name: (name) @local.definition)

(binding
  name: (name) @local.definition)

(let_statement
  name: (name) @local.definition)

(let_statement
  (name_tuple
    (name) @local.definition))

(var_statement
  name: (name) @local.definition)

(roll_statement
  name: (name) @local.definition)

(draw_statement
  name: (name) @local.definition)

(choose_from
  name: (name) @local.definition)

(choose_option
  name: (name) @local.definition)

(spawn_statement
  name: (name) @local.definition)

(stand_in
  name: (name) @local.definition)

(rule_item
  event: (name) @local.definition)

(some_pattern
  (name) @local.definition)

(name) @local.reference
