import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeRequestWith, proposeFiles } from '../../../test/support/change-requests.ts'
import { spaceWith } from '../../../test/support/pages.ts'
import { type PersonName, world } from '../../../test/support/world.ts'
import { NO_PRECONDITIONS } from '../../http/preconditions.ts'
import { findChangeRequest } from '../change-requests/rows.ts'
import { submitReview } from '../reviews/actions.ts'
import { findSpace } from '../spaces/rows.ts'
import { mergeChangeRequest } from './actions.ts'
import { hasContent } from './state.ts'

const w = await world()
const { people } = w

const FILES = { 'README.md': '# Start\n\nWords.\n' }
const PROPOSED = { 'README.md': '# Start\n\nBetter words.\n' }
const paragraphOf = (text: string) => ({
  ...{ object: 'block', type: 'paragraph', isVoid: false, data: {} },
  nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
})
const describe = (...nodes: unknown[]) => ({ object: 'document', data: { schemaVersion: 1 }, nodes }) as never

type Rule = { readonly rule: string } & Readonly<Record<string, unknown>>
type Setting = { readonly id: string; readonly path: string }

/** A change request in a space with these rules. */
async function ruled(rules: readonly Rule[], author: PersonName = 'edit'): Promise<Setting> {
  const id = await spaceWith(w, FILES)
  await setRules(id, rules)
  const { body } = await w.call('POST', `/spaces/${id}/change-requests`, { as: author })
  await proposeFiles(w, body.id, PROPOSED, author)
  return { id, path: `/spaces/${id}/change-requests/${body.id}` }
}

async function setRules(spaceId: string, rules: readonly Rule[]): Promise<void> {
  const body = { mergeRules: { type: 'rules', rules } }
  const { status, text } = await w.call('PATCH', `/spaces/${spaceId}`, { body })
  assert.equal(status, 200, text)
}

const review = async ({ path }: Setting, as: PersonName, status = 'approved') => {
  const answer = await w.call('POST', `${path}/reviews`, { as, body: { status } })
  assert.equal(answer.status, 201, answer.text)
}

/** The merge is refused by this message, and mergeability says the same; nothing has become of it. */
async function assertBlocked({ path }: Setting, message: RegExp, as: PersonName = 'admin'): Promise<void> {
  const { status, body } = await w.call('POST', `${path}/merge`, { as })
  assert.equal(status, 409, JSON.stringify(body))
  assert.match(body.error.message, message)
  const dry = await w.call('POST', `${path}/merge?dryRun=true`, { as })
  assert.deepEqual([dry.status, dry.body], [status, body])
  const asked = await w.call('GET', `${path}/mergeability`, { as })
  assert.equal(asked.body.mergeable, false)
  assert.ok(asked.body.reasons.includes(body.error.message))
  const { reason, values } = body.error
  assert.equal(reason, 'merge_rule_failed')
  assert.deepEqual(
    asked.body.obstacles.find((one: { message: string }) => one.message === body.error.message),
    { reason, message: body.error.message, values },
  )
  assert.equal((await w.call('GET', path)).body.status === 'merged', false)
}

async function assertMerged({ path }: Setting, as: PersonName = 'admin'): Promise<void> {
  const asked = await w.call('GET', `${path}/mergeability`, { as })
  assert.deepEqual([asked.body.mergeable, asked.body.reasons], [true, []])
  const { status, body } = await w.call('POST', `${path}/merge`, { as })
  assert.deepEqual([status, body.result], [200, 'merge'])
}

test('reviewers that are listed have all to approve, an author among them too', async () => {
  const users = [people.review.id, people.admin.id]
  const at = await ruled([{ rule: 'require_specific_reviewers', users }], 'review')
  const [name] = people.review.email.split('@')
  await assertBlocked(at, /^The merge rule require_specific_reviewers does not allow it: Still to approve: /)
  await assertBlocked(at, new RegExp(`approve: .*${name}`))
  await review(at, 'review')
  const { body } = await w.call('POST', `${at.path}/merge`)
  assert.equal(body.error.message.includes(name), false)
  await review(at, 'admin', 'changes-requested')
  await assertBlocked(at, /Still to approve/)
  await review(at, 'admin')
  await assertMerged(at)
})

test('what a rule says of people and of an expression is told in values too, to be said in another language', async () => {
  const { review: reviewer } = people
  const at = await ruled([
    { rule: 'require_one_of_specific_reviewers', users: [reviewer.id] },
    { rule: 'allow_bypass', users: [reviewer.id] },
    { rule: 'custom', expression: '1 + 1', message: 'Two.' },
    { rule: 'custom', expression: 'nothing.at.all' },
    { rule: 'require_author_to_merge' },
  ])
  const { body } = await w.call('GET', `${at.path}/mergeability`)
  const name = (await w.call('GET', `/users/${reviewer.id}`)).body.displayName
  const [listed, bypass, custom, thrown, plain] = body.rules.map(({ values }: { values?: object }) => values)
  assert.deepEqual(listed, { people: [name], more: 0 })
  assert.deepEqual(bypass, { people: [name], more: 0, isYou: false })
  assert.deepEqual(custom, { expression: '1 + 1', text: 'Two.', result: '2' })
  assert.match(thrown.thrown, /nothing/)
  assert.equal(plain, undefined)
  const { body: refused } = await w.call('POST', `${at.path}/merge`, { as: 'admin' })
  assert.equal(refused.error.values.rule, 'require_one_of_specific_reviewers')
  assert.deepEqual(body.obstacles[0].values, refused.error.values)
  const { body: own } = await w.call('GET', `${at.path}/mergeability`, { as: 'review' })
  assert.equal(own.rules[1].values.isYou, true)
})

test('one of several reviewers is enough where one is asked for', async () => {
  const users = [people.review.id, people.admin.id]
  const at = await ruled([{ rule: 'require_one_of_specific_reviewers', users }])
  await review(at, 'create')
  await assertBlocked(at, /One of these has to approve/)
  await review(at, 'admin')
  await assertMerged(at)
})

test('one review, of any outcome, is by somebody other than the author', async () => {
  const at = await ruled([{ rule: 'require_at_least_one_review' }], 'review')
  await review(at, 'review')
  await assertBlocked(at, /Somebody other than the author has to review it/)
  await review(at, 'admin', 'changes-requested')
  await assertMerged(at)
})

test('one approval is by somebody other than the author', async () => {
  const at = await ruled([{ rule: 'require_at_least_one_approved_review' }], 'review')
  await review(at, 'review')
  await assertBlocked(at, /Somebody other than the author has to approve it/)
  await review(at, 'admin', 'changes-requested')
  await assertBlocked(at, /has to approve it/)
  await review(at, 'admin')
  await assertMerged(at)
})

test('nobody may still ask for changes where all reviews have to approve; a newer review replaces an older', async () => {
  const at = await ruled([{ rule: 'require_all_reviews_approved' }])
  await review(at, 'admin')
  await review(at, 'review', 'changes-requested')
  await assertBlocked(at, /A reviewer asks for changes/)
  await review(at, 'review')
  await assertMerged(at)
})

test('an approval counts no more once the reviewer is asked again', async () => {
  const at = await ruled([{ rule: 'require_at_least_one_approved_review' }])
  await review(at, 'review')
  const asked = await w.call('POST', `${at.path}/requested-reviewers`, {
    body: { users: [people.review.id] },
  })
  assert.equal(asked.status, 200, asked.text)
  await assertBlocked(at, /has to approve it/)
})

test('no agent reviews, and the message says so', async () => {
  await assertBlocked(await ruled([{ rule: 'require_agent_review' }]), /no agent that reviews/)
})

test('a change request that has to be up to date is updated first', async () => {
  const at = await ruled([{ rule: 'require_up_to_date_change_request' }])
  const other = await changeRequestWith(w, at.id, { ...FILES, 'new.md': '# New\n' })
  await assertMerged({ id: at.id, path: `/spaces/${at.id}/change-requests/${other.id}` })
  await assertBlocked(at, /Update the change request first/)
  await w.call('POST', `${at.path}/update`, { as: 'edit' })
  await assertMerged(at)
})

test('subject and description have to say something where they are required', async () => {
  const at = await ruled([
    { rule: 'require_change_request_subject' },
    { rule: 'require_change_request_description' },
  ])
  await w.call('PATCH', at.path, { body: { subject: '  ' } })
  await assertBlocked(at, /Give the change request a subject/)
  await w.call('PATCH', at.path, { body: { subject: 'Words' } })
  await assertBlocked(at, /Give the change request a description/)
  const set = await w.call('PATCH', at.path, { body: { description: describe(paragraphOf('Why')) } })
  assert.equal(set.status, 200, set.text)
  await assertMerged(at)
})

test('a description of blanks says nothing, and a picture says something', () => {
  const [paragraph, blank] = [paragraphOf('Why'), paragraphOf(' \n')]
  const picture = { object: 'block', type: 'divider', isVoid: true, data: {} }
  assert.equal(hasContent(null), false)
  assert.equal(hasContent(describe()), false)
  assert.equal(hasContent(describe(blank)), false)
  assert.equal(hasContent(describe(blank, paragraph)), true)
  assert.equal(hasContent(describe(blank, picture)), true)
})

test('a rule can let only the author merge', async () => {
  const at = await ruled([{ rule: 'require_author_to_merge' }], 'review')
  await assertBlocked(at, /Only its author may merge it/)
  await assertMerged(at, 'review')
})

test('rules are asked in their order and the first that fails is told; mergeability tells of each', async () => {
  const at = await ruled([
    { rule: 'require_all_reviews_approved' },
    { rule: 'require_change_request_subject' },
    { rule: 'require_agent_review' },
  ])
  await assertBlocked(at, /require_change_request_subject/)
  const { body } = await w.call('GET', `${at.path}/mergeability`)
  assert.deepEqual(
    body.rules.map(({ rule, passed }: { rule: string; passed: boolean }) => [rule, passed]),
    [
      ['require_all_reviews_approved', true],
      ['require_change_request_subject', false],
      ['require_agent_review', false],
    ],
  )
  assert.equal(body.reasons.length, 2)
})

test('people with a bypass merge although rules fail, wherever that rule is in the list; nobody else does', async () => {
  const at = await ruled([
    { rule: 'require_agent_review' },
    { rule: 'allow_bypass', users: [people.review.id] },
  ])
  await assertBlocked(at, /require_agent_review/)
  const { body } = await w.call('GET', `${at.path}/mergeability`, { as: 'review' })
  assert.deepEqual([body.bypass, body.mergeable], [true, true])
  assert.deepEqual(
    body.rules.map(({ passed }: { passed: boolean }) => passed),
    [false, true],
  )
  await assertMerged(at, 'review')
})

test('being listed for a bypass is no role: who may not merge is refused before any rule', async () => {
  const at = await ruled([{ rule: 'allow_bypass', users: [people.edit.id] }])
  assert.equal((await w.call('POST', `${at.path}/merge`, { as: 'edit' })).status, 403)
})

test('the rules of the organization hold for spaces that inherit, and for no other', async () => {
  const own = await world()
  const rules = [{ rule: 'require_agent_review' }]
  await own.call('PATCH', `/orgs/${own.organizationId}`, { body: { mergeRules: { type: 'rules', rules } } })
  for (const [mergeRules, status] of [
    [{ type: 'inherit' }, 409],
    [{ type: 'none' }, 200],
    [{ type: 'rules', rules: [] }, 200],
  ] as const) {
    const id = await spaceWith(own, FILES)
    await own.call('PATCH', `/spaces/${id}`, { body: { mergeRules } })
    const { number } = await changeRequestWith(own, id, PROPOSED)
    const answer = await own.call('POST', `/spaces/${id}/change-requests/${number}/merge`)
    assert.equal(answer.status, status, JSON.stringify(mergeRules))
  }
})

test('an expression sees the space, the change request, current reviews and who asks, as the API shows them', async () => {
  const at = await ruled([
    {
      rule: 'custom',
      expression: `space.id === changeRequest.space && space.title === ''
        && changeRequest.createdBy.email === ${JSON.stringify(people.edit.email)}
        && reviews.every(review => review.revision === changeRequest.revision && !review.outdated)
        && reviews.filter(review => review.status === 'approved').length >= 2
        && actor.id === ${JSON.stringify(people.review.id)}`,
      message: 'Two approvals of what is merged.',
    },
  ])
  await review(at, 'review')
  await review(at, 'review')
  await assertBlocked(
    at,
    /rule custom does not allow it: Two approvals of what is merged\. \(It is false/,
    'review',
  )
  await review(at, 'create')
  await assertBlocked(at, /It is false, but must be true/, 'admin')
  await assertMerged(at, 'review')
})

test('an expression that is not exactly true, fails or does not end blocks, and says why', async () => {
  const at = await ruled([])
  for (const [expression, message] of [
    ['1', /It is 1, but must be true/],
    ['"true"', /It is "true"/],
    ['undefined', /It is null/],
    ['"x".repeat(5000)', /It is "x{99}, but must be true/],
    ['changeRequest.nothing.there', /\(The expression failed: TypeError/],
    ['(() => { while (true); })()', /took longer than/],
  ] as const) {
    await setRules(at.id, [{ rule: 'custom', expression, message: 'No.' }])
    await assertBlocked(at, message)
  }
})

test('rules hold for merges, not for updates and rollbacks', async () => {
  const at = await ruled([])
  const { body } = await w.call('POST', `${at.path}/merge`)
  await setRules(at.id, [{ rule: 'require_agent_review' }])
  const rollback = await w.call('POST', `/spaces/${at.id}/revisions/${body.revision}/rollback`)
  assert.equal(rollback.body.result, 'rollback')
  const outdated = await changeRequestWith(w, at.id, PROPOSED)
  await w.call('POST', `/spaces/${at.id}/revisions/${rollback.body.revision}/rollback`)
  const update = await w.call('POST', `/spaces/${at.id}/change-requests/${outdated.id}/update`)
  assert.equal(update.body.result, 'update')
})

test('a review that comes between deciding and writing is judged too', async () => {
  const at = await ruled([{ rule: 'require_all_reviews_approved' }])
  const { services } = w
  const { id } = (await w.call('GET', at.path)).body
  const [space, changeRequest] = [
    await findSpace(services.db, at.id),
    await findChangeRequest(services.db, id),
  ]
  const [admin, reviewer] = [await w.principalOf('admin'), await w.principalOf('review')]
  assert.ok(space && changeRequest)
  let isIn = false
  // The decision was made when the transaction begins: what comes in just before it is what could slip through.
  const transaction: typeof services.transaction = async run => {
    if (!isIn) {
      isIn = true
      await submitReview(
        { ...services, principal: reviewer },
        { space, changeRequest, role: 'review' },
        { status: 'changes-requested' },
      )
    }
    return services.transaction(run)
  }
  const context = {
    ...services,
    ...NO_PRECONDITIONS,
    transaction,
    principal: admin,
    requestId: 'test',
  } as never
  const request = { resolutions: undefined, compared: undefined, isDryRun: false }
  await assert.rejects(
    mergeChangeRequest(context, { space, changeRequest, role: 'admin' }, request),
    /A reviewer asks for changes/,
  )
  assert.equal(isIn, true)
  assert.equal((await w.call('GET', at.path)).body.status, 'draft')
})

test('rules that a space does not have yet are tested on a change request, and nothing is written', async () => {
  const setting = await ruled([{ rule: 'require_change_request_description' }])
  await review(setting, 'review')
  const ask = (body?: object, as: PersonName = 'admin') =>
    w.call('POST', `${setting.path}/merge-rules/test`, { as, ...(body === undefined ? {} : { body }) })
  const verdicts = async (body?: object) =>
    (await ask(body)).body.rules.map(({ rule, passed }: { rule: string; passed: boolean }) => [rule, passed])
  const rules = [
    { rule: 'require_at_least_one_approved_review' },
    { rule: 'require_change_request_subject' },
    { rule: 'custom', expression: 'reviews.length === 1 && actor.id.length > 0' },
    { rule: 'custom', expression: 'nothing.here' },
  ]
  assert.deepEqual(await verdicts({ mergeRules: { type: 'rules', rules } }), [
    ['require_at_least_one_approved_review', true],
    ['require_change_request_subject', false],
    ['custom', true],
    ['custom', false],
  ])
  assert.deepEqual(await verdicts(), [['require_change_request_description', false]])
  for (const type of ['none', 'inherit']) assert.deepEqual(await verdicts({ mergeRules: { type } }), [])
  const bypass = { rule: 'allow_bypass', users: [people.admin.id] }
  assert.equal((await ask({ mergeRules: { type: 'rules', rules: [bypass] } })).body.bypass, true)
  const { body } = await w.call('GET', `/spaces/${setting.id}`)
  assert.deepEqual(body.mergeRules.rules, [{ rule: 'require_change_request_description' }])
})

test('only admins of the space test rules, and only such as could be saved', async () => {
  const { path } = await ruled([])
  const ask = (mergeRules: object, as: PersonName) =>
    w.call('POST', `${path}/merge-rules/test`, { as, body: { mergeRules } })
  assert.equal((await ask({ type: 'none' }, 'create')).status, 403)
  assert.equal((await ask({ type: 'none' }, 'stranger')).status, 404)
  for (const [rules, message] of [
    [[{ rule: 'allow_bypass', users: [people.stranger.id] }], /body\.mergeRules\.rules\.0\.users\.0: /],
    [[{ rule: 'custom', expression: 'let x = 1' }], /body\.mergeRules\.rules\.0\.expression: /],
    [[{ rule: 'magic' }], /body\.mergeRules/],
  ] as const) {
    const { status, body } = await ask({ type: 'rules', rules }, 'admin')
    assert.equal(status, 400)
    assert.match(body.error.message, message)
  }
})
