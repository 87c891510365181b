// What counts as an edit of a page: its own words and fields. Its place in the tree, and its names in addresses and in
// the repository, are not part of it, so that moving a page makes nothing look newer.
import { equalRecords, type PageRecord } from '../../engines/content/records.ts'

export const isEdited = (before: PageRecord, after: PageRecord): boolean =>
  !equalRecords(ownFields(before), ownFields(after))

function ownFields(record: PageRecord): object {
  const {
    slug: _s,
    parent: _p,
    children: _c,
    file: _f,
    oid: _o,
    createdAt: _a,
    updatedAt: _u,
    ...own
  } = record
  return own
}
