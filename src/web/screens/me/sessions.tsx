// The browsers that the person is signed in with.
import { useMutation, useQuery } from '@tanstack/react-query'
import Bowser from 'bowser'
import { type BrowserSession, endSessions, sessions } from '../../data/account.ts'
import { currentSession } from '../../data/session.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { RowList } from '../../parts/row-list.tsx'
import { Loaded } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { say, sayFailure } from '../../parts/toasts.tsx'
import { Unlimited } from './limited.tsx'

export function Sessions() {
  const query = useQuery(sessions)
  const hereId = useQuery(currentSession).data?.id
  const end = useMutation({
    mutationFn: endSessions,
    onSuccess: (_, ids) => say(t(ids.length === 1 ? 'me.ended' : 'me.othersEnded')),
    onError: sayFailure,
  })
  return (
    <section className="stack" aria-label={t('me.sessions')}>
      <h2>{t('me.sessions')}</h2>
      <Unlimited query={query}>
        <Loaded query={query} lines={3}>
          {({ items }) => {
            // Before it is known which one this is, none can be ended: it might be this one.
            const others = hereId === undefined ? [] : items.filter(({ id }) => id !== hereId)
            return (
              <>
                <RowList
                  label={t('me.sessions')}
                  items={items}
                  nameOf={browserOf}
                  dependencies={[hereId, end.isPending]}
                >
                  {one => (
                    <>
                      <Browser session={one} isHere={one.id === hereId} />
                      {hereId !== undefined && one.id !== hereId && (
                        <Button
                          look="quiet"
                          isPending={end.isPending && end.variables.includes(one.id)}
                          aria-label={t('me.endOneOf', { browser: browserOf(one) })}
                          onPress={() => end.mutate([one.id])}
                        >
                          {t('me.endOne')}
                        </Button>
                      )}
                    </>
                  )}
                </RowList>
                {others.length > 0 && (
                  <div>
                    <Button isPending={end.isPending} onPress={() => end.mutate(others.map(({ id }) => id))}>
                      {t('me.endOthers')}
                    </Button>
                  </div>
                )}
              </>
            )
          }}
        </Loaded>
      </Unlimited>
    </section>
  )
}

/** As people call it: `Firefox on Linux`. */
function browserOf({ userAgent }: BrowserSession): string {
  if (userAgent === null || userAgent === '') return t('me.unknownBrowser')
  const { browser, os } = Bowser.parse(userAgent)
  // What it does not know has an empty name.
  if (!browser.name) return userAgent
  return os.name ? t('me.browserOn', { browser: browser.name, system: os.name }) : browser.name
}

type BrowserProps = { readonly session: BrowserSession; readonly isHere: boolean }

const Browser = ({ session, isHere }: BrowserProps) => (
  <div className="grow">
    <p className="rows-title" dir="auto">
      {browserOf(session)}
    </p>
    <p className="rows-facts">
      {isHere && <strong>{t('me.here')}</strong>}
      <span>{t(`me.method.${session.method}`)}</span>
      {session.address !== null && <span>{t('me.from', { address: session.address })}</span>}
      <span>
        {t('me.lastUsed')} <Time value={session.lastUsedAt} />
      </span>
    </p>
  </div>
)
