// What is added to written content where scripts run, in the reader and in the workspace: copy buttons, tabs that
// remember, players, boxes that scroll by keys. Everything reads and works without it. The reader's script begins with
// these lines; the workspace imports what is exported.

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

const WORDS = { copy: 'Copy code', copied: 'Copied', player: 'Player' }

/** Adds it to what is written in an element. The function that it returns stops watching. */
export const enhanceContent = (content, words = WORDS) => {
  addCopyButtons(content, words)
  rememberTabs(content)
  addPlayers(content, words)
  return watchRegions(content)
}

const COPIED_MS = 1_600

const addCopyButtons = (content, words) => {
  if (!navigator.clipboard) return
  for (const block of all('figure.code', content)) {
    const icon = element('span', { class: 'icon icon-copy' })
    const button = element('button', { class: 'code-copy', type: 'button', 'aria-label': words.copy }, icon)
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code').textContent.replace(/\n$/, ''))
      button.classList.add('is-done')
      icon.className = 'icon icon-check'
      button.setAttribute('aria-label', words.copied)
      setTimeout(() => {
        button.classList.remove('is-done')
        icon.className = 'icon icon-copy'
        button.setAttribute('aria-label', words.copy)
      }, COPIED_MS)
    })
    block.append(button)
  }
}

// The choice of a title (`npm`, `Python`) holds for every group that has it, and for the next visit.

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

const rememberTabs = content => {
  const tabs = all('.tabs > input', content)
  for (const title of chosenTabs().reverse())
    for (const input of tabs) if (tabTitle(input) === title) input.checked = true
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
}

// Nothing is requested from the named hosts before somebody clicks.

const addPlayers = (content, words) => {
  for (const card of all('a[data-player]', content)) {
    card.addEventListener('click', event => {
      if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
      event.preventDefault()
      const frame = element('iframe', {
        class: 'player',
        src: card.dataset.player,
        title: card.querySelector('.link-card-title')?.textContent ?? words.player,
        allow: 'fullscreen; encrypted-media; picture-in-picture',
        referrerpolicy: 'strict-origin-when-cross-origin',
        sandbox: 'allow-scripts allow-same-origin allow-popups allow-presentation',
      })
      card.replaceWith(frame)
      frame.focus()
    })
  }
}

// Boxes that could scroll take focus so that keys can scroll them. Those that fit give it back.

const watchRegions = content => {
  if (!('ResizeObserver' in window)) return () => {}
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
  for (const region of all('[role="region"][tabindex="0"]', content)) regions.observe(region)
  return () => regions.disconnect()
}

/** What a link to `#id` leads to. Links name places in any case. */
const placeCalled = id =>
  document.getElementById(id) ?? all('main [id]').find(place => place.id.toLowerCase() === id.toLowerCase())

/** The place that the address names; undefined if there is none. `prefix` stands before the ids of content. */
export const namedPlace = (prefix = '') => {
  try {
    const id = decodeURIComponent(location.hash.slice(1))
    return id === '' ? undefined : (placeCalled(id) ?? placeCalled(prefix + id))
  } catch {
    return undefined
  }
}

/** Brings the place that the address names into sight; a closed tab or an expandable around it opens. */
export const revealPlace = (prefix = '') => {
  const target = namedPlace(prefix)
  if (target === undefined) return
  for (let at = target; at; at = at.parentElement) {
    if (at.matches('details')) at.open = true
    if (at.matches('.tab-panel')) at.previousElementSibling.control.checked = true
  }
  target.scrollIntoView()
}
