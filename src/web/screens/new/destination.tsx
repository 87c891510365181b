// The collection that a new space is in: one has to be chosen where the person may create in collections alone.
import { useState } from 'react'
import { useWritable } from '../../data/may-create.ts'
import type { Organization } from '../../data/organization.ts'
import { t } from '../../messages/messages.ts'
import Choice from '../../parts/choice.tsx'

export function useDestination(of: Organization) {
  const writable = useWritable(of)
  const [chosen, setChosen] = useState<string>()
  const needsOne = of.permissions.createContent !== true
  const parent = chosen ?? (needsOne ? writable[0]?.id : undefined)
  return {
    /** For the API, which takes an absent one as none. */
    destination: parent === undefined ? {} : { parent },
    /** Whether the person will be an admin of the space, as of what it is in. */
    isAdmin:
      of.permissions.admin === true || writable.find(({ id }) => id === parent)?.permissions.admin === true,
    field: writable.length > 0 && (
      <Choice
        label={t('newSpace.collection')}
        options={writable.map(({ id, title }) => ({ id, name: title === '' ? t('space.untitled') : title }))}
        chosen={parent}
        {...(needsOne ? {} : { all: t('newSpace.noCollection') })}
        onChange={setChosen}
      />
    ),
  }
}
