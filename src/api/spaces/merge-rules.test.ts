// Saving merge rules, of an organization and of a space: the same rules of the house for both.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { world } from '../../../test/support/world.ts'

const w = await world()
const space = await w.createSpace()
const { people } = w

for (const path of [`/orgs/${w.organizationId}`, `/spaces/${space.id}`]) {
  const what = path.startsWith('/orgs') ? 'an organization' : 'a space'
  const save = (...rules: object[]) =>
    w.call('PATCH', path, { body: { mergeRules: { type: 'rules', rules } } })
  const saved = async () => (await w.call('GET', path)).body.mergeRules

  test(`merge rules of ${what} name members, guests among them, and hold expressions`, async () => {
    const rules = [
      { rule: 'require_specific_reviewers', users: [people.review.id, people.guest.id] },
      { rule: 'allow_bypass', users: [people.admin.id, people.admin.id] },
      { rule: 'custom', expression: 'changeRequest.subject.length > 3 && reviews.some(r => r.status)' },
      { rule: 'require_all_reviews_approved' },
    ]
    const { status, body } = await save(...rules)
    assert.deepEqual([status, body.mergeRules], [200, { type: 'rules', rules }])
  })

  test(`a merge rule of ${what} that names a stranger or is no expression is refused by name, and nothing is saved`, async () => {
    await save({ rule: 'require_at_least_one_review' })
    const before = await saved()
    const bypass = { rule: 'allow_bypass', users: [people.admin.id] }
    for (const [rules, message] of [
      [
        [bypass, { rule: 'require_specific_reviewers', users: [people.review.id, people.stranger.id] }],
        `body.mergeRules.rules.1.users.1: ${people.stranger.id} is not a member`,
      ],
      [
        [{ rule: 'allow_bypass', users: ['nobody'] }],
        'body.mergeRules.rules.0.users.0: nobody is not a member',
      ],
      [[bypass, { rule: 'custom', expression: 'let x = 1' }], 'body.mergeRules.rules.1.expression: '],
      [[{ rule: 'custom', expression: '1; while (true) {}' }], 'body.mergeRules.rules.0.expression: '],
      [[bypass, { rule: 'custom' }], 'body.mergeRules.rules.1.expression: this is required.'],
      [
        [{ rule: 'require_a_subject' }],
        'body.mergeRules.rules.0.rule: must be one of require_specific_reviewers, require_one_of_specific_reviewers, allow_bypass, require_at_least_one_review, ',
      ],
    ] as const) {
      const { status, body } = await save(...rules)
      assert.equal(status, 400)
      assert.ok(body.error.message.startsWith(message), body.error.message)
    }
    assert.deepEqual(await saved(), before)
  })

  test(`a disabled member is named by no new merge rule of ${what}`, async () => {
    const disable = (disabled: boolean) =>
      w.services.transaction(trx =>
        trx.updateTable('members').set({ disabled }).where('user_id', '=', people.create.id).execute(),
      )
    await disable(true)
    assert.equal((await save({ rule: 'allow_bypass', users: [people.create.id] })).status, 400)
    await disable(false)
    assert.equal((await save({ rule: 'allow_bypass', users: [people.create.id] })).status, 200)
  })
}
