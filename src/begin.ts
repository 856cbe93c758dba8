import { screenAt } from './app/screens.ts'

// The page and the frame around it come side by side; what the page does not need to begin with comes later.
void screenAt(window.location.pathname)?.load()
void import('./main.tsx')
