-- The words of its block that a comment is about, with some of those around them; and what it suggests instead of a part
-- of the Markdown of its block.
alter table comments
  add column range_quote text,
  add column range_prefix text,
  add column range_suffix text,
  add column suggestion_before text,
  add column suggestion_after text,
  add column applied_at timestamptz,
  add constraint comments_range check (num_nonnulls(range_quote, range_prefix, range_suffix) in (0, 3)),
  add constraint comments_suggestion check (num_nonnulls(suggestion_before, suggestion_after) in (0, 2));
