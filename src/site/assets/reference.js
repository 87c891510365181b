// What the API reference adds where scripts run: a filter over the list of operations. Every page reads and works
// without it; the search box of the masthead finds the same things.

const box = document.querySelector('[data-filter]')
const input = box?.querySelector('input')
const none = document.querySelector('[data-filter-none]')
const groups = [...document.querySelectorAll('[data-filter-group]')].map(group => ({
  group,
  entries: [...group.querySelectorAll('[data-filter-words]')].map(entry => ({
    entry,
    words: `${entry.dataset.filterWords} ${entry.textContent} ${group.firstElementChild.textContent}`.toLowerCase(),
  })),
}))

const filter = () => {
  const words = input.value.toLowerCase().split(/\s+/)
  let found = 0
  for (const { group, entries } of groups) {
    let shown = 0
    for (const { entry, words: text } of entries) {
      entry.hidden = !words.every(word => text.includes(word))
      if (!entry.hidden) shown += 1
    }
    group.hidden = shown === 0
    found += shown
  }
  none.hidden = found > 0
}

if (input) {
  box.hidden = false
  input.addEventListener('input', filter)
  input.addEventListener('keydown', event => {
    if (event.key === 'Enter') document.querySelector('[data-filter-words]:not([hidden]) a')?.click()
    if (event.key !== 'Escape' || input.value === '') return
    event.preventDefault()
    input.value = ''
    filter()
  })
}
