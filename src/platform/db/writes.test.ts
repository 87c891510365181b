import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writesOf } from './writes.ts'

test('the tables that a statement writes are read from its text', () => {
  for (const [text, writes] of [
    ['insert into "events" ("id") values ($1)', ['insert events']],
    ['update "spaces" set "title" = $1', ['update spaces']],
    ['delete from only tokens where id = $1', ['delete tokens']],
    ['DELETE\n  FROM live_links', ['delete live_links']],
    [
      'with put as (insert into objects (hash) select $1 on conflict (hash) do update set touched_at = now() returning hash) insert into object_blobs select * from put',
      ['insert objects', 'insert object_blobs'],
    ],
    ['update git_syncs set a = 1; delete from "jobs"', ['update git_syncs', 'delete jobs']],
  ] as const)
    assert.deepEqual(writesOf(text), writes, text)
})

test('a statement that only reads or locks writes nothing', () => {
  for (const text of [
    'select "updated_at", deleted_at from "spaces" where id = $1',
    'select * from "spaces" where "id" = $1 for update',
    'select id from organizations order by id for no key update of organizations skip locked',
    'begin',
    'commit',
  ])
    assert.deepEqual(writesOf(text), [], text)
})
