; For Neovim and Helix: a block is indented by one level, and its bracket ends the level.
[
  (block)
  (members)
  (trait_body)
  (change_body)
  (table_item)
  (policy_item)
  (example_item)
  (match_expression)
  (match_statement)
  (duration_match)
  (choose_option)
  (move)
  (meeting)
  (spawn_statement)
  (enum_item)
  (arguments)
  (parameters)
  (tuple)
  (list)
] @indent.begin @indent

[
  "}"
  ")"
  "]"
] @indent.end @indent.branch @outdent
