// What filters find (RFC 7644 §3.4.2.2), on the database.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { directoryOf } from '../../../test/support/scim.ts'
import { world } from '../../../test/support/world.ts'

const w = await world()
const { call, person } = await directoryOf(w)

const adaName = `Ada.Lovelace-${w.organizationId.toLowerCase()}@people.test`
const ada = await person({
  userName: adaName,
  externalId: 'EXT-1',
  displayName: 'Ada 100%_\\ "Lovelace"',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [{ value: `ada-${w.organizationId.toLowerCase()}@work.test`, type: 'work', primary: true }],
})
const grace = await person({ name: { givenName: 'Grace', familyName: 'Hopper' }, active: false })
const { body: team } = await call('POST', '/Groups', { displayName: 'Engines', members: [{ value: ada.id }] })
const both = new Map([
  [ada.id, 'ada'],
  [grace.id, 'grace'],
])
const OURS = `(id eq "${ada.id}" or id eq "${grace.id}")`

/** Which of the two it finds, in order; or the keyword of its refusal. */
async function find(filter: string): Promise<string> {
  const { status, body } = await call('GET', `/Users?filter=${encodeURIComponent(filter)}`)
  if (status !== 200) return `${status} ${body.scimType}`
  assert.equal(body.totalResults, body.Resources.length)
  return body.Resources.flatMap(({ id }: { id: string }) => both.get(id) ?? [])
    .sort()
    .join(' ')
}

for (const [filter, found] of [
  [`userName eq "${adaName.toUpperCase()}"`, 'ada'],
  [`USERNAME EQ "${adaName}"`, 'ada'],
  [`urn:ietf:params:scim:schemas:core:2.0:User:userName eq "${adaName}"`, 'ada'],
  [`userName sw "ada.love" and ${OURS}`, 'ada'],
  [`userName co "LOVELACE-" and ${OURS}`, 'ada'],
  [`userName ew "@people.test" and ${OURS}`, 'ada grace'],
  [`userName ne "${adaName}" and ${OURS}`, 'grace'],
  [`externalId eq "EXT-1"`, 'ada'],
  // Case exact (RFC 7643 §3.1).
  [`externalId eq "ext-1"`, ''],
  [`externalId pr and ${OURS}`, 'ada'],
  [`not (externalId pr) and ${OURS}`, 'grace'],
  [`externalId eq null and ${OURS}`, 'grace'],
  [`externalId ne null and ${OURS}`, 'ada'],
  [`externalId ne "EXT-1" and ${OURS}`, 'grace'],
  [`externalId co "XT" and ${OURS}`, 'ada'],
  [`not (externalId co "XT") and ${OURS}`, 'grace'],
  [`id eq "${ada.id}"`, 'ada'],
  [`id eq "${ada.id.toLowerCase()}x"`, ''],
  ['displayName eq "ada 100%_\\\\ \\"lovelace\\""', 'ada'],
  // No character is a wildcard.
  [`displayName co "%" and ${OURS}`, 'ada'],
  [`displayName co "_" and ${OURS}`, 'ada'],
  [`displayName co "100_" and ${OURS}`, ''],
  [`name.familyName eq "hopper" and ${OURS}`, 'grace'],
  [`name.familyName gt "i" and ${OURS}`, 'ada'],
  [`name.familyName le "hopper" and ${OURS}`, 'grace'],
  [`emails eq "${ada.emails[0].value}"`, 'ada'],
  [`emails.value co "@WORK.test" and ${OURS}`, 'ada'],
  [`emails[type eq "work" and value ew "@work.test"] and ${OURS}`, 'ada'],
  [`emails[type eq "home"] and ${OURS}`, ''],
  [`emails[primary eq true] and ${OURS}`, 'ada grace'],
  [`active eq false and ${OURS}`, 'grace'],
  [`active eq "True" and ${OURS}`, 'ada'],
  [`active ne true and ${OURS}`, 'grace'],
  [`groups.value eq "${team.id}"`, 'ada'],
  [`groups[value eq "${team.id}"]`, 'ada'],
  [`groups pr and ${OURS}`, 'ada'],
  [`meta.resourceType eq "user" and ${OURS}`, 'ada grace'],
  [`meta.created eq "${ada.meta.created}" and id eq "${ada.id}"`, 'ada'],
  [`meta.lastModified ge "2020-01-01T00:00:00Z" and ${OURS}`, 'ada grace'],
  [`meta.created lt "2020-01-01T00:00:00+02:00" and ${OURS}`, ''],
  [`${OURS} and (name.givenName eq "Ada" or active eq false)`, 'ada grace'],
  // `and` binds more than `or`.
  [`id eq "${ada.id}" or id eq "${grace.id}" and active eq true`, 'ada'],
  // SQL in a value is a value.
  [`userName eq "x' or '1'='1"`, ''],
  [`displayName co "'; drop table users; --"`, ''],
  // What there is not, or cannot be compared so.
  ['shoeSize eq 43', '400 invalidFilter'],
  ['name pr', '400 invalidFilter'],
  ['userName.x eq "y"', '400 invalidFilter'],
  ['urn:other:User:userName eq "x"', '400 invalidFilter'],
  ['emails[shoeSize eq 1]', '400 invalidFilter'],
  ['shoes[type eq "x"]', '400 invalidFilter'],
  ['userName eq 1', '400 invalidFilter'],
  ['userName gt null', '400 invalidFilter'],
  ['active eq "perhaps"', '400 invalidFilter'],
  ['active gt true', '400 invalidFilter'],
  ['groups co "x"', '400 invalidFilter'],
  ['meta.created gt "yesterday"', '400 invalidFilter'],
  ['meta.created gt "+275000-01-01T00:00:00Z"', '400 invalidFilter'],
  ['meta.created co "2020-01-01"', '400 invalidFilter'],
  ['userName eq', '400 invalidFilter'],
  ['__proto__ pr', '400 invalidFilter'],
  ['constructor pr', '400 invalidFilter'],
  [`${'('.repeat(1000)}userName pr`, '400 invalidFilter'],
  [Array.from({ length: 65 }, () => 'userName pr').join(' or '), '400 invalidFilter'],
] as const)
  test(`${filter.slice(0, 80)} → ${found === '' ? 'nobody' : found}`, async () => {
    assert.equal(await find(filter), found)
  })

test('a filter that is given twice is refused', async () => {
  const { status, body } = await call('GET', '/Users?filter=userName%20pr&filter=userName%20pr')
  assert.deepEqual([status, body.scimType], [400, 'invalidFilter'])
})
