// What a space is called and how it is edited, who may do what in it, its merge rules, and its end.
import { useQuery } from '@tanstack/react-query'
import { use } from 'react'
import { changeSpace } from '../../data/settings.ts'
import { space } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import { peopleTexts } from '../../messages/people.ts'
import { settingsTexts } from '../../messages/settings.ts'
import { Gone } from '../../parts/gone.tsx'
import { Screen } from '../../parts/screen.tsx'
import { SpaceCrumbs } from '../../parts/space-crumbs.tsx'
import { titleOf } from '../../parts/space-title.ts'
import { Empty, Loaded } from '../../parts/state.tsx'
import { Access } from './access.tsx'
import { Danger } from './danger.tsx'
import { General } from './general.tsx'
import { MergeRules } from './merge-rules.tsx'
import { TryRules } from './try-rules.tsx'
import { Visitors } from './visitors.tsx'

export function SpaceSettings({ spaceId }: { readonly spaceId: string }) {
  if (peopleTexts !== undefined) use(peopleTexts)
  if (settingsTexts !== undefined) use(settingsTexts)
  return (
    <Loaded query={useQuery(space(spaceId))} lines="screen">
      {of => (
        <Screen title={t('settings.title', { title: titleOf(of) })} crumbs={<SpaceCrumbs of={of} />}>
          <Gone spaceId={spaceId} />
          {of.permissions.admin ? (
            <>
              <General of={of} />
              {of.visibility === 'visitor-auth' && <Visitors of={of} />}
              <Access of={of} />
              <MergeRules
                value={of.mergeRules}
                types={['inherit', 'none', 'rules']}
                organizationId={of.organization}
                onSave={mergeRules => changeSpace(of.id, { mergeRules })}
              />
              <TryRules of={of} />
              <Danger of={of} />
            </>
          ) : (
            <Empty text={t('settings.notAdmin')} />
          )}
        </Screen>
      )}
    </Loaded>
  )
}
