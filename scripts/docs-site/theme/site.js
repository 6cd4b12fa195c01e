/* Search and the choice of light or dark. The pages are complete without it. */
;(() => {
  const root = document.body.dataset.root ?? ''
  chooseTheme(document.getElementById('theme'))
  startSearch(document.querySelector('[role="search"]'))

  function chooseTheme(button) {
    const key = 'posthorn-docs-theme'
    const isDark = () =>
      document.documentElement.dataset.theme === 'dark' ||
      (document.documentElement.dataset.theme === undefined && matchMedia('(prefers-color-scheme: dark)').matches)
    const show = () => {
      button.textContent = isDark() ? 'Light' : 'Dark'
    }
    const kept = localStorage.getItem(key)
    if (kept === 'dark' || kept === 'light') document.documentElement.dataset.theme = kept
    button.hidden = false
    show()
    button.addEventListener('click', () => {
      const theme = isDark() ? 'light' : 'dark'
      document.documentElement.dataset.theme = theme
      localStorage.setItem(key, theme)
      show()
    })
  }

  function startSearch(form) {
    const input = form.querySelector('input')
    const results = form.querySelector('#results')
    let index
    form.hidden = false
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      results.querySelector('a')?.click()
    })
    input.addEventListener('focus', () => {
      index ??= loadIndex()
    })
    input.addEventListener('input', async () => {
      index ??= loadIndex()
      const found = (await index).search(input.value, {
        prefix: true,
        fuzzy: 0.15,
        combineWith: 'AND',
        boost: { heading: 3, title: 2 },
      })
      showResults(results, input.value.trim() === '' ? undefined : found.slice(0, 20))
    })
    form.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') showResults(results, undefined)
    })
    document.addEventListener('click', (event) => {
      if (!form.contains(event.target)) showResults(results, undefined)
    })
  }

  /** Makes the list with DOM calls, so that no text becomes HTML. */
  function showResults(place, found) {
    place.hidden = found === undefined
    const list = document.createElement('ul')
    for (const { title, heading, address } of found ?? []) {
      const link = document.createElement('a')
      link.href = root + address
      link.append(heading, heading === title ? '' : small(` ${title}`))
      const item = document.createElement('li')
      item.append(link)
      list.append(item)
    }
    place.replaceChildren(found?.length === 0 ? 'Nothing found.' : list)
  }

  function small(text) {
    const element = document.createElement('small')
    element.textContent = text
    return element
  }

  async function loadIndex() {
    await Promise.all([loadScript('minisearch.js'), loadScript('search-index.js')])
    return globalThis.MiniSearch.loadJSON(globalThis.siteSearchIndex, {
      fields: ['heading', 'title', 'text'],
      storeFields: ['title', 'heading', 'address'],
      processTerm: (term) => term.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase(),
    })
  }

  function loadScript(name) {
    return new Promise((resolve, reject) => {
      const script = document.createElement('script')
      script.src = `${root}assets/${name}`
      script.addEventListener('load', resolve)
      script.addEventListener('error', reject)
      document.head.append(script)
    })
  }
})()
