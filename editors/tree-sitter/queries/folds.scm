; Blocks and brackets that can span several lines.
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
  (list)
] @fold
