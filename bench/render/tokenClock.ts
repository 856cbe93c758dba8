/** Counts tokens out at a rate, whatever the page is busy with: false for each, true at the end. */
onmessage = ({ data: { count, rate } }: MessageEvent<{ count: number; rate: number }>) => {
  const began = performance.now()
  let sent = 0
  const tick = () => {
    const due = Math.min(count, Math.floor(((performance.now() - began) * rate) / 1000) + 1)
    for (; sent < due; sent++) postMessage(false)
    if (sent < count) setTimeout(tick, Math.max(0, began + (sent * 1000) / rate - performance.now()))
    else postMessage(true)
  }
  tick()
}
