// What the reader adds where scripts run: theme toggle, copy buttons, tabs that remember, search while typing, the
// outline's and tree's current place. Every page reads and works without it.
// Elements are found by classes and data attributes, never by names on `window` or `document`: content may choose
// its own ids.

const root = document.documentElement
root.classList.add('has-script')

const all = (selector, within = document) => [...within.querySelectorAll(selector)]

const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...children)
  return made
}

const recall = key => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

const remember = (key, value) => {
  try {
    localStorage.setItem(key, value)
  } catch {
    // Storage is switched off: nothing is remembered, everything else works.
  }
}

// Theme. The server reads the cookie, so that the next page comes in the right colours from its first byte.

const YEAR_SECONDS = 31_536_000

for (const toggle of all('[data-theme-toggle]')) {
  const prefersDark = matchMedia('(prefers-color-scheme: dark)')
  const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : prefersDark.matches)
  const label = () => toggle.setAttribute('aria-label', isDark() ? 'Use light colours' : 'Use dark colours')
  toggle.hidden = false
  label()
  prefersDark.addEventListener('change', label)
  toggle.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark'
    const secure = location.protocol === 'https:' ? '; Secure' : ''
    document.cookie = `octavo_theme=${root.dataset.theme}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax${secure}`
    label()
  })
}

// Copy buttons.

const COPIED_MS = 1_600

if (navigator.clipboard) {
  for (const block of all('figure.code')) {
    const icon = element('span', { class: 'icon icon-copy' })
    const button = element('button', { class: 'code-copy', type: 'button', 'aria-label': 'Copy code' }, icon)
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code').textContent.replace(/\n$/, ''))
      button.classList.add('is-done')
      icon.className = 'icon icon-check'
      button.setAttribute('aria-label', 'Copied')
      setTimeout(() => {
        button.classList.remove('is-done')
        icon.className = 'icon icon-copy'
        button.setAttribute('aria-label', 'Copy code')
      }, COPIED_MS)
    })
    block.append(button)
  }
}

// Tabs: the choice of a title (`npm`, `Python`) holds for every group that has it, and for the next visit.

const TABS_KEY = 'octavo.tabs'
const TABS_REMEMBERED_MAX = 30

const tabTitle = input => input.labels[0]?.textContent.trim() ?? ''
const chosenTabs = () => {
  try {
    const titles = JSON.parse(recall(TABS_KEY) ?? '[]')
    return Array.isArray(titles) ? titles : []
  } catch {
    return []
  }
}

const tabs = all('.tabs > input')
for (const title of chosenTabs().reverse()) for (const input of tabs) if (tabTitle(input) === title) input.checked = true

for (const input of tabs) {
  input.addEventListener('change', () => {
    const title = tabTitle(input)
    const before = input.labels[0].getBoundingClientRect().top
    for (const other of tabs) if (other !== input && tabTitle(other) === title) other.checked = true
    // Groups above may have changed their height: the tab stays under the pointer.
    scrollBy({ top: input.labels[0].getBoundingClientRect().top - before, behavior: 'instant' })
    const titles = [title, ...chosenTabs().filter(one => one !== title)]
    remember(TABS_KEY, JSON.stringify(titles.slice(0, TABS_REMEMBERED_MAX)))
  })
}

// A link to something inside a closed tab or an expandable opens it. Links name places in any case.

const placeCalled = id =>
  document.getElementById(id) ??
  all('main [id]').find(place => place.id.toLowerCase() === id.toLowerCase())

const reveal = () => {
  let id
  try {
    id = decodeURIComponent(location.hash.slice(1))
  } catch {
    return
  }
  const target = id && placeCalled(id)
  if (!target) return
  for (let at = target; at; at = at.parentElement) {
    if (at.matches('details')) at.open = true
    if (at.matches('.tab-panel')) at.previousElementSibling.control.checked = true
  }
  target.scrollIntoView()
}
addEventListener('hashchange', reveal)
if (location.hash.length > 1) reveal()

// The tree: the current page is in sight.

for (const tree of all('[data-tree]')) {
  const show = () => {
    const current = tree.querySelector('[aria-current]')
    if (!current) return
    const offset = current.getBoundingClientRect().top - tree.getBoundingClientRect().top
    if (offset < 40 || offset > tree.clientHeight - 80) tree.scrollTop += offset - tree.clientHeight / 3
  }
  show()
  tree.addEventListener('toggle', show)
}

// The navigation of a phone covers the page: while it is open, the keyboard stays in it. Escape closes it, as the
// browser does with every popover, and focus goes back to the button.

for (const tree of all('[data-tree][popover]')) {
  const button = tree.querySelector('[data-drawer-close]')
  const others = () => {
    const found = []
    for (let at = tree; at !== document.body; at = at.parentElement)
      found.push(...[...at.parentElement.children].filter(one => one !== at))
    return found
  }
  // Before it closes, so that the browser can give focus back.
  tree.addEventListener('beforetoggle', event => {
    if (event.newState === 'closed') for (const one of others()) one.inert = false
  })
  tree.addEventListener('toggle', event => {
    if (event.newState !== 'open') return
    for (const one of others()) one.inert = true
    button?.focus()
  })
}

// Players of named hosts: nothing is requested from them before somebody clicks.

for (const card of all('a[data-player]')) {
  card.addEventListener('click', event => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    const frame = element('iframe', {
      class: 'player',
      src: card.dataset.player,
      title: card.querySelector('.link-card-title')?.textContent ?? 'Player',
      allow: 'fullscreen; encrypted-media; picture-in-picture',
      referrerpolicy: 'strict-origin-when-cross-origin',
      sandbox: 'allow-scripts allow-same-origin allow-popups allow-presentation',
    })
    card.replaceWith(frame)
    frame.focus()
  })
}

// Boxes that could scroll take focus so that keys can scroll them. Those that fit give it back.

if ('ResizeObserver' in window) {
  const regions = new ResizeObserver(entries => {
    for (const { target } of entries) {
      const name = target.dataset.name ?? target.getAttribute('aria-label')
      const scrolls = target.scrollWidth > target.clientWidth + 1 || target.scrollHeight > target.clientHeight + 1
      target.dataset.name = name
      if (scrolls) {
        target.tabIndex = 0
        target.setAttribute('role', 'region')
        target.setAttribute('aria-label', name)
      } else for (const attribute of ['tabindex', 'role', 'aria-label']) target.removeAttribute(attribute)
    }
  })
  for (const region of all('[role="region"][tabindex="0"]')) regions.observe(region)
}

// The outline marks the section that is being read.

for (const outline of all('[data-outline]')) {
  const links = all('a', outline)
  const headings = links.map(link => document.getElementById(decodeURIComponent(link.hash.slice(1))))
  let frame = 0
  const mark = () => {
    frame = 0
    const line = innerHeight * 0.25
    let current = 0
    for (const [index, heading] of headings.entries())
      if (heading && heading.getBoundingClientRect().top <= line) current = index
    if (scrollY + innerHeight >= root.scrollHeight - 4) current = links.length - 1
    for (const [index, link] of links.entries())
      if (index === current) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
  }
  const later = () => {
    frame ||= requestAnimationFrame(mark)
  }
  addEventListener('scroll', later, { passive: true })
  addEventListener('resize', later, { passive: true })
  mark()
}

// Search while typing. The server sends the list as a fragment; it is parsed without running anything in it.

const TYPING_PAUSE_MS = 120

for (const form of all('[data-search]')) {
  const input = form.querySelector('[data-search-input]')
  const isPage = form.dataset.search === 'page'
  const list = isPage ? document.querySelector('[data-search-list]') : element('div', { class: 'search-panel' })
  let running = null
  let timer = 0

  if (!isPage) {
    list.hidden = true
    form.append(list)
  }
  const close = () => {
    if (!isPage) list.hidden = true
  }
  const search = async () => {
    running?.abort()
    const query = input.value.trim()
    if (query === '') return close()
    running = new AbortController()
    const address = new URL(form.action)
    address.searchParams.set('q', query)
    if (isPage) history.replaceState(null, '', address)
    address.searchParams.set('fragment', '1')
    try {
      const reply = await fetch(address, { signal: running.signal })
      if (!reply.ok) return
      const fragment = new DOMParser().parseFromString(await reply.text(), 'text/html')
      list.replaceChildren(...fragment.body.childNodes)
      list.hidden = false
    } catch {
      // Aborted by the next letter, or offline: the form still submits.
    }
  }
  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(search, TYPING_PAUSE_MS)
  })
  input.addEventListener('focus', () => {
    if (!isPage && input.value.trim() !== '' && list.childElementCount > 0) list.hidden = false
  })
  form.addEventListener('focusout', event => {
    if (!form.contains(event.relatedTarget)) close()
  })
  form.addEventListener('keydown', event => {
    const links = all('a', list)
    if (event.key === 'Escape') {
      close()
      input.focus()
      close()
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && !list.hidden && links.length > 0) {
      event.preventDefault()
      const at = links.indexOf(document.activeElement) + (event.key === 'ArrowDown' ? 1 : -1)
      const next = links[at]
      if (next) next.focus()
      else if (at < 0) input.focus()
    }
  })
}

addEventListener('keydown', event => {
  const isWriting = event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]')
  const isSlash = event.key === '/' && !isWriting && !event.ctrlKey && !event.metaKey && !event.altKey
  const isK = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
  if (!isSlash && !isK) return
  const input = all('[data-search-input]').find(one => one.offsetParent !== null)
  const link = document.querySelector('.search-link')
  if (!input && !link) return
  event.preventDefault()
  if (input) {
    input.focus()
    input.select()
  } else location.assign(link.href)
})
