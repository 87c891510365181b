// What opens on demand, as it is inserted.
export const expandable = '<details>\n\n<summary>#{}</summary>\n\n#{}\n\n</details>'
