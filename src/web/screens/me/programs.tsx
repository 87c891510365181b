// The programs that the person has allowed, in a browser, to act for them.
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Authorization, authorizations, endAuthorization } from '../../data/account.ts'
import { organizations } from '../../data/people.ts'
import { isolated, t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { Question } from '../../parts/question.tsx'
import { RowList } from '../../parts/row-list.tsx'
import { Loaded } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { say } from '../../parts/toasts.tsx'
import { Unlimited } from './limited.tsx'

export function Programs() {
  const query = useQuery(authorizations)
  const [ending, setEnding] = useState<Authorization>()
  return (
    <section className="stack" aria-label={t('me.programs')}>
      <h2>{t('me.programs')}</h2>
      <Unlimited query={query}>
        <p className="soft">{t('me.programsText')}</p>
        <Loaded query={query} lines={2}>
          {({ items }) =>
            items.length === 0 ? (
              <p className="soft">{t('me.noPrograms')}</p>
            ) : (
              <RowList label={t('me.programs')} items={items} nameOf={nameOf}>
                {one => (
                  <>
                    <Facts authorization={one} />
                    <Button
                      look="quiet"
                      aria-label={t('me.disconnectOf', { name: nameOf(one) })}
                      onPress={() => setEnding(one)}
                    >
                      {t('me.disconnect')}
                    </Button>
                  </>
                )}
              </RowList>
            )
          }
        </Loaded>
      </Unlimited>
      {ending !== undefined && (
        <Question
          title={t('me.disconnectTitle', { name: isolated(nameOf(ending)) })}
          verb={t('me.disconnect')}
          act={() => endAuthorization(ending.id)}
          onDone={() => {
            setEnding(undefined)
            say(t('me.disconnected'))
          }}
          onClose={() => setEnding(undefined)}
        >
          <p className="soft">{t('me.disconnectText')}</p>
        </Question>
      )}
    </section>
  )
}

const nameOf = ({ client: { name } }: Authorization): string => (name === '' ? t('me.unnamedProgram') : name)

function Facts({ authorization }: { readonly authorization: Authorization }) {
  const { client, scopes, organization, lastUsedAt, expiresAt } = authorization
  const { items } = useSuspenseQuery(organizations).data
  const only = items.find(({ id }) => id === organization)
  return (
    <div className="grow">
      <p className="rows-title" dir="auto">
        {nameOf(authorization)}
      </p>
      <p className="rows-facts">
        <span>{client.host === null ? t('me.onThisComputer') : t('me.atHost', { host: client.host })}</span>
        <span title={scopes.join(' ')}>{t('me.scopes', { count: scopes.length })}</span>
        {only !== undefined && <span>{t('me.onlyIn', { organization: isolated(only.title) })}</span>}
        {lastUsedAt === null ? (
          <span>{t('me.neverUsed')}</span>
        ) : (
          <span>
            {t('me.usedLast')} <Time value={lastUsedAt} />
          </span>
        )}
        {expiresAt !== null && (
          <span>
            {t('me.ends')} <Time value={expiresAt} />
          </span>
        )}
      </p>
    </div>
  )
}
