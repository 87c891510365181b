// Search and actions in one place, from anywhere. Enter opens the first of what is typed, as soon as that is known; ⌘Enter
// opens it in a tab.
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { Autocomplete } from 'react-aria-components/Autocomplete'
import { Dialog } from 'react-aria-components/Dialog'
import { Header } from 'react-aria-components/Header'
import { Input } from 'react-aria-components/Input'
import { ListBox, ListBoxItem, ListBoxSection } from 'react-aria-components/ListBox'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { TextField } from 'react-aria-components/TextField'
import { useLocation } from 'wouter'
import type { Organization } from '../../data/organization.ts'
import { me } from '../../data/people.ts'
import { spacesOf } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import { Key } from '../../parts/key.tsx'
import { type Entry, useEntries } from './entries.ts'

type Props = {
  readonly organization: Organization
  readonly actions: readonly Entry[]
  /** Before it was there. */
  readonly typed: RefObject<string>
  readonly onClose: () => void
}

export default function Palette(props: Props) {
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={props.onClose} isDismissable>
      <Modal className="dialog wide">
        <Dialog aria-label={t('palette.title')} className="palette">
          <Content {...props} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

function Content({ organization, actions, typed, onClose }: Props) {
  const [text, setText] = useState(() => typed.current)
  const [, navigate] = useLocation()
  const isInTab = useRef(false)
  // With the arrows, among what is shown.
  const isChosen = useRef(false)
  const [isAwaited, setAwaited] = useState(false)
  const { id: userId } = useSuspenseQuery(me).data
  const spaces = useQuery(spacesOf(organization.id)).data?.items ?? []
  const { groups, isSearching } = useEntries({
    text,
    userId,
    spaces,
    actions,
    organizationId: organization.id,
    canListMembers: organization.permissions.listMembers,
  })
  const entries = new Map(groups.flatMap(group => group.entries).map(entry => [entry.id, entry]))
  const type = (next: string) => {
    isChosen.current = false
    setAwaited(false)
    setText(next)
  }
  const open = (id: string) => {
    const entry = entries.get(id)
    if (entry === undefined) return
    const { href, run, words } = entry
    if (words !== undefined) return type(words)
    if (href !== undefined && isInTab.current) return window.open(href, '_blank')
    onClose()
    run?.()
    if (href !== undefined) navigate(href)
  }
  useEffect(() => {
    if (!isAwaited || isSearching) return
    setAwaited(false)
    const [first] = entries.keys()
    if (first !== undefined) open(first)
  })
  const press = (event: KeyboardEvent) => {
    const { key, metaKey, ctrlKey, nativeEvent } = event
    // Enter chooses the words of an input method first.
    if (nativeEvent.isComposing) return
    if (key === 'ArrowDown' || key === 'ArrowUp') isChosen.current = true
    isInTab.current = key === 'Enter' && (metaKey || ctrlKey)
    if (key !== 'Enter') return
    // What is shown still answers what was typed before.
    if (isSearching && !isChosen.current) {
      event.preventDefault()
      event.stopPropagation()
      return setAwaited(true)
    }
    const [first] = entries.keys()
    // The list acts on Enter by itself, though not with a modifier, nor before an entry has the focus.
    if (first === undefined) return
    const focused = document.querySelector('.palette [role="option"][data-focused]')?.getAttribute('data-key')
    if (isInTab.current || focused == null) open(focused ?? first)
  }
  return (
    <div onKeyDownCapture={press} className="palette-body">
      <Autocomplete inputValue={text} onInputChange={type}>
        <TextField type="search" aria-label={t('palette.field')} autoFocus className="palette-field">
          <Input placeholder={t('palette.placeholder')} />
        </TextField>
        <ListBox
          aria-label={t('palette.results')}
          className="palette-list"
          onAction={key => open(String(key))}
          renderEmptyState={() => (
            <p className="palette-empty">{t(isSearching ? 'palette.searching' : 'palette.nothing')}</p>
          )}
        >
          {groups.map(group => (
            <ListBoxSection key={group.id} id={group.id}>
              <Header className="menu-heading">{t(`palette.group.${group.id}`)}</Header>
              {group.entries.map(({ id, title, note, keys }) => (
                <ListBoxItem key={id} id={id} textValue={title} className="option">
                  <span className="truncate">{title}</span>
                  {note !== undefined && <span className="option-note truncate">{note}</span>}
                  {keys !== undefined && (
                    <span className="option-note">
                      <Key keys={keys} />
                    </span>
                  )}
                </ListBoxItem>
              ))}
            </ListBoxSection>
          ))}
        </ListBox>
      </Autocomplete>
    </div>
  )
}
