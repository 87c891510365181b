// A field of a body or a query that is named like an object, or as long as an id, is a reference (`RefTo`), so that
// test/conformance/references.test.ts tries it, or is listed here with the reason why it names no object.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allFields, type Field } from './reference-fields.ts'

const COMPONENT = 'A part of the integration, which names it itself.'
const WORDS = 'The words of a title.'
const OF_THE_REQUEST = 'A name that the request gives what it adds.'
const WITHIN = 'A key within the document of the page that is named beside it.'
const BRANCH = 'A branch of the repository.'
const THEIRS = 'A name that the sender gives; it is looked up among what they sent.'

const NAMES_NO_OBJECT: Readonly<Record<string, string>> = {
  'body.defaultContent.site': 'There are no sites: it is kept as it is.',
  'body.subject': WORDS,
  'body[].subject': WORDS,
  'body.source.props.page': 'The name of a page within what is computed.',
  'body.seed': 'Ids are made from it.',
  'body.changes[].ref': OF_THE_REQUEST,
  'body.changes[].files[].ref': OF_THE_REQUEST,
  'body.changes[].block[]': WITHIN,
  'body.node': WITHIN,
  'body.tableCell.record': WITHIN,
  'body.tableCell.definition': WITHIN,
  'body.resolutions[].block': WITHIN,
  'body.ref': BRANCH,
  'body.repoCacheID': 'Accepted for other clients and not read.',
  'body.entityID': 'The identity provider’s name for itself.',
  'body.blocks[].id': COMPONENT,
  'body.contentSources[].id': COMPONENT,
  'body.contentSources[].configuration.componentId': COMPONENT,
  'body.configurations.account.componentId': COMPONENT,
  'body.configurations.space.componentId': COMPONENT,
  'body.configurations.site.componentId': COMPONENT,
  'body.token': 'A secret, which is its own proof: it is found by its hash.',
  'body.externalIds[]': THEIRS,
  'query.externalId': THEIRS,
  'body.id': THEIRS,
  'body[].id': THEIRS,
}

const continuesAList = ({ operation, path }: Field): boolean =>
  path === 'query.page' && operation.query?.properties.limit !== undefined

test('a field that is named like an object is a reference, or it is said why not', () => {
  const others = allFields().filter(
    field => field.kind === undefined && field.isNamedLikeAnObject && !continuesAList(field),
  )
  const unexplained = others
    .filter(({ path }) => NAMES_NO_OBJECT[path] === undefined)
    .map(({ operation, path }) => `${operation.id} ${path}`)
  assert.deepEqual(unexplained, [], 'these get a schema of RefTo, or a reason in NAMES_NO_OBJECT')
  const paths = new Set(others.map(({ path }) => path))
  assert.deepEqual(
    Object.keys(NAMES_NO_OBJECT).filter(path => !paths.has(path)),
    [],
    'no field has these paths any more',
  )
})
