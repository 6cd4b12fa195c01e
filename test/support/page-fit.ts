import type { Page } from 'playwright-core'

/** Returns the element that reaches farthest to the right, if the page can be scrolled sideways; empty if it cannot. */
export async function sidewaysBy(page: Page): Promise<string> {
  return page.evaluate<string>(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return done('')
    const right = (element) => element.getBoundingClientRect().right
    const widest = [...document.body.querySelectorAll('*')].reduce((one, other) => (right(other) > right(one) ? other : one))
    done(widest.tagName + '.' + widest.className + ' ends at ' + Math.round(right(widest)) + ' of ' + clientWidth)
  })))`)
}

/** Returns the short words in sight that the page breaks between two letters, such as `Ope n` in a narrow column; empty if none. Codes may break. */
export async function findBrokenWords(page: Page): Promise<string> {
  // What follows the size of the text does so with the next frame.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  return page.evaluate<string>(`(() => {
    const broken = new Set()
    const walker = document.createTreeWalker(document.querySelector('#root'), NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    while (walker.nextNode()) {
      const text = walker.currentNode
      const isHidden = [...ancestorsOf(text)].some((element) => getComputedStyle(element).clipPath !== 'none')
      if (isHidden || text.parentElement.closest('code, pre') !== null) continue
      for (const { 0: word, index } of text.data.matchAll(/(?<!\\S)[\\p{L}\\d_]{2,16}(?!\\S)/gu)) {
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.add(word)
      }
    }
    return [...broken].join(', ')

    function* ancestorsOf(node) {
      for (let one = node.parentElement; one !== null; one = one.parentElement) yield one
    }
  })()`)
}

/** Returns what of an open dialog or menu nobody can reach; empty if all of it is in sight, or scrolls into it. It may be on its way to its place. */
export async function cutOffOf(page: Page, role: 'dialog' | 'menu'): Promise<string> {
  return page.evaluate<string>(`new Promise((done) => {
    const look = () => {
      const popup = [...document.querySelectorAll('[role=${role}]')].at(-1)
      const box = popup.getBoundingClientRect()
      const shown = (value) => Math.round(value)
      const { scrollWidth, clientWidth } = document.documentElement
      if (scrollWidth > clientWidth) return 'the page scrolls sideways'
      if (box.left < -1 || box.right > innerWidth + 1) return 'from ' + shown(box.left) + ' to ' + shown(box.right) + ' of ' + innerWidth
      if (box.top < -1 || box.bottom > innerHeight + 1) return 'from ' + shown(box.top) + ' down to ' + shown(box.bottom) + ' of ' + innerHeight
      const scrolls = (overflow) => ['auto', 'scroll'].includes(overflow)
      if (popup.scrollHeight > popup.clientHeight + 1 && !scrolls(getComputedStyle(popup).overflowY)) return 'higher than its place'
      for (const element of popup.querySelectorAll('*')) {
        const { right, width } = element.getBoundingClientRect()
        if (width === 0 || right <= box.right + 1) continue
        let frame = element.parentElement
        while (frame !== popup && !scrolls(getComputedStyle(frame).overflowX)) frame = frame.parentElement
        if (frame === popup) return element.tagName + '.' + element.className + ' ends at ' + shown(right) + ' of ' + shown(box.right)
      }
      return ''
    }
    const end = performance.now() + 5000
    const again = () => {
      const found = look()
      if (found === '' || performance.now() > end) done(found)
      else requestAnimationFrame(again)
    }
    requestAnimationFrame(() => requestAnimationFrame(again))
  })`)
}
