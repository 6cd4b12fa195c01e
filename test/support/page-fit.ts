import type { Page } from 'playwright-core'

/** Returns the element that reaches farthest to the right, if the page can be scrolled sideways; empty if it cannot. */
export async function sidewaysBy(page: Page): Promise<string> {
  return page.evaluate<string>(`new Promise((done) => requestAnimationFrame(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return done('')
    const right = (element) => element.getBoundingClientRect().right
    const widest = [...document.body.querySelectorAll('*')].reduce((one, other) => (right(other) > right(one) ? other : one))
    done(widest.tagName + '.' + widest.className + ' ends at ' + Math.round(right(widest)) + ' of ' + clientWidth)
  }))`)
}
