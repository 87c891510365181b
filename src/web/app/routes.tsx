// The screens by their addresses. What a list needs comes with the shell; what is large comes when it is opened.
import { Suspense } from 'react'
import { Route, Switch } from 'wouter'
import { t } from '../messages/messages.ts'
import { later } from '../parts/later.tsx'
import { Screen } from '../parts/screen.tsx'
import { Empty, HomeLink, ScreenSkeleton } from '../parts/state.tsx'
import { ChangeRequestsOfOrganization, ChangeRequestsOfSpace } from '../screens/change-requests/list.tsx'
import Home from '../screens/home/home.tsx'
import { SIGNED_IN_PATH } from './session-dialog.tsx'

const [ChangeRequest, readChangeRequest] = later(() => import('../screens/change-request/change-request.tsx'))
const [Editor, readEditor] = later(() => import('../screens/editor/editor.tsx'))
const [Files, readFiles] = later(() => import('../screens/files/files.tsx'))
const [HistoryScreen, readHistory] = later(() => import('../screens/history/history.tsx'))
const [Conflicts, readConflicts] = later(() => import('../screens/conflicts/conflicts.tsx'))
const [Manage, readManage] = later(() => import('../screens/manage/manage.tsx'))
const [Repositories, readRepositories] = later(() => import('../screens/new/repositories.tsx'))
const [Notifications, readNotifications] = later(() => import('../screens/notifications/notifications.tsx'))
const [Search, readSearch] = later(() => import('../screens/search/search.tsx'))
const [Space, readSpace] = later(() => import('../screens/space/space.tsx'))

/** In a change request, or before its first save in the space. */
const EDITOR = /^\/w\/s\/(?<space>[^/]+)(?:\/c\/(?<number>[^/]+))?\/edit\/(?<page>[^/]+)$/

const MANAGE = /^\/w\/(?:me(?:\/notifications)?|people|teams|invitations|org|s\/[^/]+\/settings)$/

const FILES = /^\/w\/s\/(?<space>[^/]+)(?:\/c\/(?<number>[^/]+))?\/files$/

/** The first that fits an address. */
const READ_BY_PATH = [
  [EDITOR, readEditor],
  [FILES, readFiles],
  [/^\/w\/s\/[^/]+\/c\/[^/]+\/conflicts$/, readConflicts],
  [/^\/w\/s\/[^/]+\/c\/[^/]+/, readChangeRequest],
  [/^\/w\/s\/[^/]+\/history$/, readHistory],
  [/^\/w\/(?:new(?:\/.*)?|s\/[^/]+\/git)$/, readRepositories],
  [/^\/w\/s\/[^/]+(?:\/p\/[^/]+)?$/, readSpace],
  [MANAGE, readManage],
  [/^\/w\/inbox$/, readNotifications],
  [/^\/w\/search$/, readSearch],
] as const

/** Reads the screen of an address; of those that come with the shell there is nothing to read. */
export const readScreen = async (path: string): Promise<unknown> =>
  READ_BY_PATH.find(([pattern]) => pattern.test(path))?.[1]()

export const readScreens = (): Promise<unknown> => Promise.allSettled(READ_BY_PATH.map(([, read]) => read()))

export const Routes = () => (
  <Suspense fallback={<ScreenSkeleton />}>
    <Switch>
      <Route path="/w">
        <Home />
      </Route>
      <Route path="/w/c">
        <ChangeRequestsOfOrganization />
      </Route>
      <Route path="/w/inbox">
        <Notifications />
      </Route>
      <Route path="/w/search">
        <Search />
      </Route>
      <Route path={MANAGE}>
        <Manage />
      </Route>
      <Route path="/w/new/:way?">{({ way }) => <Repositories way={way} />}</Route>
      <Route path={SIGNED_IN_PATH}>
        <SignedIn />
      </Route>
      <Route path="/w/s/:space/c">
        {({ space }) => <ChangeRequestsOfSpace key={space} spaceId={space} />}
      </Route>
      <Route path="/w/s/:space/c/:number">
        {({ space, number }) => <ChangeRequest spaceId={space} number={number} tab="conversation" />}
      </Route>
      <Route path="/w/s/:space/c/:number/changes">
        {({ space, number }) => <ChangeRequest spaceId={space} number={number} tab="changes" />}
      </Route>
      <Route path="/w/s/:space/c/:number/preview/:page?">
        {({ space, number, page }) => (
          <ChangeRequest spaceId={space} number={number} tab="preview" pageId={page} />
        )}
      </Route>
      <Route path="/w/s/:space/git">{({ space }) => <Repositories spaceId={space} />}</Route>
      <Route path="/w/s/:space/history">{({ space }) => <HistoryScreen key={space} spaceId={space} />}</Route>
      <Route path="/w/s/:space/c/:number/conflicts">
        {({ space, number }) => <Conflicts spaceId={space} number={number} />}
      </Route>
      <Route path={FILES}>
        {({ space = '', number }) => <Files key={`${space} ${number}`} spaceId={space} number={number} />}
      </Route>
      <Route path={EDITOR}>
        {({ space = '', number, page = '' }) => <Editor spaceId={space} number={number} pageId={page} />}
      </Route>
      <Route path="/w/s/:space/p/:page">{({ space, page }) => <Space spaceId={space} pageId={page} />}</Route>
      <Route path="/w/s/:space">{({ space }) => <Space spaceId={space} />}</Route>
      <Route>
        <Screen title={t('missing.title')}>
          <Empty text={t('missing.text')}>
            <HomeLink />
          </Empty>
        </Screen>
      </Route>
    </Switch>
  </Suspense>
)

function SignedIn() {
  window.close()
  return <Empty text={t('session.closeWindow')} />
}
