// Invited people who have not signed in yet, and the links with which they do.
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Organization } from '../../data/organization.ts'
import {
  endSignInLink,
  makeAllSignInLinks,
  makeSignInLinks,
  type SignInLinks,
  type Waiting,
  waitingOf,
} from '../../data/sign-in-links.ts'
import { isolated, t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { sayRole } from '../../parts/role-choice.tsx'
import { RowList } from '../../parts/row-list.tsx'
import { Loaded } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { say, sayFailure } from '../../parts/toasts.tsx'
import { SignInLinksMade } from './sign-in-links.tsx'

/** `before`: the links of the first portions, if it is made again for those that are left. */
type Asked =
  | { readonly people: 'everybody'; readonly before?: undefined }
  | { readonly people: readonly string[]; readonly before?: SignInLinks }

export function WaitingPeople({ of }: { readonly of: Organization }) {
  const query = useInfiniteQuery(waitingOf(of.id))
  const [made, setMade] = useState<SignInLinks>()
  const make = useMutation({
    mutationFn: ({ people, before }: Asked): Promise<SignInLinks> =>
      people === 'everybody' ? makeAllSignInLinks(of.id) : makeSignInLinks(of.id, people, before),
    onSuccess: setMade,
    onError: sayFailure,
  })
  const end = useMutation({
    mutationFn: ({ id }: Waiting) => endSignInLink(of.id, id),
    onSuccess: (_, { email }) => say(t('links.ended', { address: isolated(email) })),
    onError: sayFailure,
  })
  return (
    <section className="stack" aria-label={t('links.waiting')}>
      <h2>{t('links.waiting')}</h2>
      <Loaded query={query}>
        {({ pages }) => {
          const items = pages.flatMap(page => page.items)
          if (items.length === 0) return <p className="soft">{t('links.nobody')}</p>
          return (
            <>
              <div className="row">
                <p className="grow soft">{t('links.waitingText')}</p>
                <Button isPending={make.isPending} onPress={() => make.mutate({ people: 'everybody' })}>
                  {t('links.makeAll')}
                </Button>
              </div>
              <RowList
                label={t('links.waiting')}
                items={items}
                nameOf={({ email }) => email}
                dependencies={[make.isPending, end.isPending]}
                more={{
                  isLoading: query.isFetchingNextPage,
                  load: () => {
                    if (query.hasNextPage) void query.fetchNextPage()
                  },
                }}
              >
                {one => (
                  <>
                    <Facts person={one} />
                    <div className="row">
                      <Button
                        isPending={make.isPending && make.variables.people.includes(one.id)}
                        aria-label={`${t(one.expiresAt === null ? 'links.makeOne' : 'links.renew')}: ${one.email}`}
                        onPress={() => make.mutate({ people: [one.id] })}
                      >
                        {t(one.expiresAt === null ? 'links.makeOne' : 'links.renew')}
                      </Button>
                      {one.expiresAt !== null && (
                        <Button
                          look="quiet"
                          aria-label={`${t('links.end')}: ${one.email}`}
                          onPress={() => end.mutate(one)}
                        >
                          {t('links.end')}
                        </Button>
                      )}
                    </div>
                  </>
                )}
              </RowList>
              <p className="faint small">{t('people.count', { count: pages[0]?.count ?? items.length })}</p>
            </>
          )
        }}
      </Loaded>
      {made !== undefined && (
        <Dialog title={t('links.list')} isOpen onClose={() => setMade(undefined)}>
          <SignInLinksMade
            made={made}
            isPending={make.isPending}
            onMissing={() => make.mutate({ people: made.left, before: made })}
          />
          <div className="dialog-actions">
            <Button onPress={() => setMade(undefined)}>{t('invite.close')}</Button>
          </div>
        </Dialog>
      )}
    </section>
  )
}

const Facts = ({
  person: { displayName, email, role, invitedAt, expiresAt },
}: {
  readonly person: Waiting
}) => (
  <div className="grow">
    <p className="rows-title">
      <bdi>{displayName}</bdi>
    </p>
    <p className="rows-facts">
      <span>{email}</span>
      <span>{sayRole(role, 'guest')}</span>
      <span>
        {t('links.invited')} <Time value={invitedAt} />
      </span>
      {expiresAt === null ? (
        <span>{t('links.none')}</span>
      ) : (
        <span>
          {t('links.until')} <Time value={expiresAt} />
        </span>
      )}
    </p>
  </div>
)
