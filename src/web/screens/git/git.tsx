// The repository of a space: whether it is kept in sync, and what was imported and exported.
import { useQuery } from '@tanstack/react-query'
import { use, useState } from 'react'
import { disconnect, syncOf } from '../../data/git.ts'
import { type Space, space } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import { newTexts } from '../../messages/new.ts'
import { Button } from '../../parts/button.tsx'
import { Gone } from '../../parts/gone.tsx'
import { Question } from '../../parts/question.tsx'
import { Screen } from '../../parts/screen.tsx'
import { SpaceCrumbs } from '../../parts/space-crumbs.tsx'
import { Loaded } from '../../parts/state.tsx'
import { ExportDialog } from './export-dialog.tsx'
import { ImportAgain } from './import-again.tsx'
import { Operations } from './operations.tsx'
import { Sync } from './sync.tsx'
import { SyncDialog } from './sync-dialog.tsx'

type Asked = 'import' | 'export' | 'sync' | 'disconnect'

export function GitScreen({ spaceId }: { readonly spaceId: string }) {
  if (newTexts !== undefined) use(newTexts)
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  return (
    <Loaded query={useQuery(space(spaceId))} lines="screen">
      {of => (
        <Screen
          title={t('repository.title')}
          crumbs={<SpaceCrumbs of={of} />}
          actions={
            of.permissions.triggerGitSync && (
              <>
                <Button onPress={() => setAsked('import')}>{t('repository.again')}</Button>
                <Button onPress={() => setAsked('export')}>{t('repository.export')}</Button>
              </>
            )
          }
        >
          <Gone spaceId={spaceId} />
          <Connection of={of} onDisconnect={() => setAsked('disconnect')} />
          {of.permissions.admin && <Sync spaceId={spaceId} onChange={() => setAsked('sync')} />}
          <Operations spaceId={spaceId} />
          {asked === 'import' && <ImportAgain of={of} onClose={close} />}
          {asked === 'export' && <ExportDialog of={of} onClose={close} />}
          {asked === 'sync' && <Keeping of={of} onClose={close} />}
          {asked === 'disconnect' && <Disconnecting of={of} onClose={close} />}
        </Screen>
      )}
    </Loaded>
  )
}

type ConnectionProps = { readonly of: Space; readonly onDisconnect: () => void }

const Connection = ({ of: { gitSync, permissions }, onDisconnect }: ConnectionProps) =>
  gitSync?.repoName === undefined ? (
    <p className="soft">{t('repository.none')}</p>
  ) : (
    <div className="row">
      <p className="grow git-place">
        {t('repository.connected', { name: gitSync.repoName })}{' '}
        {gitSync.url !== undefined && (
          <a href={gitSync.url} rel="noreferrer" target="_blank">
            <bdi>{gitSync.url}</bdi>
          </a>
        )}
      </p>
      {permissions.admin && <Button onPress={onDisconnect}>{t('repository.disconnect')}</Button>}
    </div>
  )

type DialogProps = { readonly of: Space; readonly onClose: () => void }

function Keeping({ of, onClose }: DialogProps) {
  const { data } = useQuery(syncOf(of.id))
  return data === undefined ? null : <SyncDialog of={of} now={data} onClose={onClose} />
}

const Disconnecting = ({ of, onClose }: DialogProps) => (
  <Question
    title={t('repository.disconnectTitle')}
    verb={t('repository.disconnect')}
    act={() => disconnect(of.id)}
    onDone={onClose}
    onClose={onClose}
  >
    <p className="soft">{t('repository.disconnectBy')}</p>
  </Question>
)
