import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toHtml } from '../../html/html.ts'
import { parseMarkdown } from '../../syntax/syntax.ts'

const draw = async (source: string): Promise<string> => {
  const { html } = await toHtml(parseMarkdown(source), {
    resolveLink: href => ({ href, isExternal: false, isBroken: false }),
    resolveImage: () => undefined,
  })
  return html
}

const step = (attributes: string, inside: string): string =>
  `{% step ${attributes} %}\n${inside}\n{% endstep %}`
const stepper = (...inside: readonly string[]): string =>
  `{% stepper %}\n${inside.join('\n\n')}\n{% endstepper %}`

test('a step is its title, which links may name, and its words; what is no step follows', async () => {
  assert.equal(
    await draw(stepper(step('title="Set up"', 'One'), 'Between', step('', 'Two'))),
    [
      '<ol class="stepper" role="list">',
      '<li id="set-up" class="step"><div class="flow"><p><strong>Set up</strong></p><p>One</p></div></li>',
      '<li class="step"><div class="flow"><p>Two</p></div></li></ol><p>Between</p>',
    ].join(''),
  )
  assert.equal(await draw(stepper('Only words')), '<p>Only words</p>')
})

test('a step outside of steps is its title above its words', async () => {
  assert.equal(await draw(step('title="Set up"', 'One')), '<p><strong>Set up</strong></p><p>One</p>')
  assert.equal(await draw(step('', 'One')), '<p>One</p>')
})
