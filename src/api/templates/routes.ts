// Templates: pages to begin with.
import { mount, operationsOf } from '../../http/operation.ts'
import { Answer } from '../../http/replies.ts'
import { onSpace, type SpaceAt } from '../spaces/place.ts'
import { applyTemplate } from './actions.ts'
import { ApplySpaceTemplate } from './schema.ts'

const operation = operationsOf<'space', SpaceAt>()

export const templateOperations = mount(
  [onSpace],
  [
    operation({
      id: 'applyTemplateToSpace',
      method: 'POST',
      path: '/content/template',
      summary: 'Add the pages of a template',
      description:
        'They come after those that are there, as one revision of the space, also where its `editMode` is `locked`; or of a change request.',
      tag: 'Content',
      may: 'edit',
      scope: 'space:write',
      body: ApplySpaceTemplate,
      status: 201,
      failures: [409],
      run: async ({ context, at, body }) => {
        await applyTemplate(context, at.space, body)
        return new Answer<never>(201, undefined)
      },
    }),
  ],
)
