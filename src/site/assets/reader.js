// What the reader adds where scripts run: theme toggle, search while typing, the outline's and tree's current place; and
// to what is written what content.js adds, which comes before. Every page reads and works without it.
// Elements are found by classes and data attributes, never by names on `window` or `document`: content may choose
// its own ids.

const root = document.documentElement
root.classList.add('has-script')

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

enhanceContent(document)
addEventListener('hashchange', () => revealPlace())
if (location.hash.length > 1) revealPlace()

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
