// Who is signed in; organizations, language, look, and signing out.
import { useSuspenseQuery } from '@tanstack/react-query'
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down'
import { useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { Header } from 'react-aria-components/Header'
import { Menu, MenuItem, MenuSection, MenuTrigger } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { Separator } from 'react-aria-components/Separator'
import { chooseLook, currentLook, LOOKS, type Look } from '../data/look.ts'
import { chooseOrganization, useOrganization } from '../data/organization.ts'
import { me, organizations } from '../data/people.ts'
import {
  chooseLanguage,
  type Language,
  language,
  languages,
  nameOfLanguage,
  t,
} from '../messages/messages.ts'
import { Avatar } from '../parts/avatar.tsx'
import { signOut } from './sign-out.ts'

type Props = { readonly onKeyboard: () => void }

export function AccountMenu({ onKeyboard }: Props) {
  const { displayName } = useSuspenseQuery(me).data
  const { items } = useSuspenseQuery(organizations).data
  const organization = useOrganization()
  const [look, setLook] = useState<Look>(currentLook)
  return (
    <MenuTrigger>
      <Button className="nav-link account">
        <Avatar name={displayName} />
        <span className="truncate">{displayName}</span>
        <span className="visually-hidden">{t('account.menu')}</span>
        <ChevronsUpDown size={14} aria-hidden />
      </Button>
      <Popover className="popover" placement="top start">
        <Menu>
          {items.length > 1 && (
            <MenuSection
              selectionMode="single"
              disallowEmptySelection
              selectedKeys={organization === undefined ? [] : [organization.id]}
              onSelectionChange={keys => chooseOrganization(String([...keys][0]))}
            >
              <Header className="menu-heading">{t('account.organization')}</Header>
              {items.map(({ id, title }) => (
                <MenuItem key={id} id={id} className="option">
                  {title}
                </MenuItem>
              ))}
            </MenuSection>
          )}
          <MenuSection
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[look]}
            onSelectionChange={keys => {
              const chosen = LOOKS.find(one => one === [...keys][0]) ?? 'system'
              chooseLook(chosen)
              setLook(chosen)
            }}
          >
            <Header className="menu-heading">{t('account.look')}</Header>
            {LOOKS.map(one => (
              <MenuItem key={one} id={one} className="option">
                {t(`account.looks.${one}`)}
              </MenuItem>
            ))}
          </MenuSection>
          <MenuSection
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[language]}
            onSelectionChange={keys => chooseLanguage([...keys][0] as Language)}
          >
            <Header className="menu-heading">{t('account.language')}</Header>
            {languages.map(one => (
              <MenuItem key={one} id={one} className="option">
                {nameOfLanguage(one)}
              </MenuItem>
            ))}
          </MenuSection>
          <Separator className="menu-line" />
          <MenuItem id="account" href="/w/me" className="option">
            {t('account.settings')}
          </MenuItem>
          <MenuItem id="keyboard" onAction={onKeyboard} className="option">
            {t('keyboard.title')}
          </MenuItem>
          <MenuItem id="sign-out" onAction={signOut} className="option">
            {t('account.signOut')}
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
