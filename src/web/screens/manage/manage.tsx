// The screens on which people, teams, spaces and oneself are set up. They are one file: they share most of what they are
// made of, and other screens none of it.
import { Route, Switch } from 'wouter'
import { Me } from '../me/me.tsx'
import { Invitations } from '../people/invitations.tsx'
import { People } from '../people/people.tsx'
import { Teams } from '../people/teams.tsx'
import { OrganizationSettings } from '../settings/organization-settings.tsx'
import { SpaceSettings } from '../settings/space-settings.tsx'

export default function Manage() {
  return (
    <Switch>
      <Route path="/w/me">
        <Me />
      </Route>
      <Route path="/w/me/notifications">
        <Me />
      </Route>
      <Route path="/w/people">
        <People />
      </Route>
      <Route path="/w/teams">
        <Teams />
      </Route>
      <Route path="/w/invitations">
        <Invitations />
      </Route>
      <Route path="/w/org">
        <OrganizationSettings />
      </Route>
      <Route path="/w/s/:space/settings">
        {({ space }) => <SpaceSettings key={space} spaceId={space} />}
      </Route>
    </Switch>
  )
}
