// Runs before the first paint, so that no page flashes in the wrong theme.
try {
  const theme = localStorage.getItem('posthorn.theme')
  if (theme === 'dark' || theme === 'light' || theme === 'contrast') document.documentElement.dataset.theme = theme
} catch {
  // Without storage the theme of the system holds.
}
