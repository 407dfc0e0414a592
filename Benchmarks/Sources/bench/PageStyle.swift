/// How the page of results looks on screens and paper, and what it says about its method.
enum PageStyle {
  static let text = """
    :root { color-scheme: light dark; --ground: #fff; --ink: #1b1f24; --faint: #6a7280;
      --rule: #d9dde3; --reached: #1f7a4d; --missed: #b4531a;
      --e0: #1f5fbf; --e1: #b4531a; --e2: #1f7a4d; --e3: #7a3fa8; --e4: #b0304a; --e5: #5c6672; }
    @media (prefers-color-scheme: dark) { :root { --ground: #14171b; --ink: #e6e9ee;
      --faint: #9aa3af; --rule: #343a43; --reached: #55c08a; --missed: #f0965a;
      --e0: #7fb0ff; --e1: #f0965a; --e2: #55c08a; --e3: #c79bf0; --e4: #f0869b; --e5: #aab3bf; } }
    @media print { :root { --ground: #fff; --ink: #000; --faint: #444; --rule: #bbb;
      --reached: #1f7a4d; --missed: #b4531a; --e0: #1f5fbf; --e1: #b4531a; --e2: #1f7a4d;
      --e3: #7a3fa8; --e4: #b0304a; --e5: #5c6672; }
      h2 { break-after: avoid; } svg, tr { break-inside: avoid; } }
    body { background: var(--ground); color: var(--ink); max-width: 56rem; margin: 2rem auto;
      padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; }
    svg { width: 100%; height: auto; font: 12px system-ui, sans-serif; }
    svg.key { width: 12px; height: 12px; }
    text { fill: var(--ink); } .tick { fill: var(--faint); }
    .end { text-anchor: end; } .middle { text-anchor: middle; } .title { font-weight: 600; }
    .grid { stroke: var(--rule); } .one { stroke: var(--ink); }
    .target { stroke: var(--ink); stroke-width: 3; }
    .reached { fill: var(--reached); } .missed { fill: var(--missed); }
    .curve { fill: none; stroke: var(--e5); stroke-width: 2; }
    .curve.e0 { stroke: var(--e0); stroke-width: 3; } .curve.e1 { stroke: var(--e1); }
    .curve.e2 { stroke: var(--e2); } .curve.e3 { stroke: var(--e3); }
    .curve.e4 { stroke: var(--e4); }
    .m { fill: var(--e5); } .m.e0 { fill: var(--e0); } .m.e1 { fill: var(--e1); }
    .m.e2 { fill: var(--e2); } .m.e3 { fill: var(--e3); } .m.e4 { fill: var(--e4); }
    .legend span { margin-right: 1rem; white-space: nowrap; }
    .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); }
    table { border-collapse: collapse; width: 100%; font-size: 14px;
      font-variant-numeric: tabular-nums; }
    th, td { text-align: left; padding: 0 0.5rem 0 0; }
    tr.new td { border-top: 1px solid var(--rule); }
    """

  static let method = """
    <h2>Method</h2>
    <ul>
    <li>Each row is measured round by round, every engine in turn, another one first in each round.
    Medians of the rounds are compared; ± is half the distance between the best and the worst.</li>
    <li>What is read is compared. Timed rounds fold the lengths, the first and the last word and one
    of each 64 bytes of each row into a digest, a round that is not timed every byte, and the digests
    of all engines must be equal; else the row fails and is not shown.</li>
    <li>This store runs with its checksums, log, locks and readers' pins. What each engine checks and
    what it makes durable, <code>bench --list</code> says for each row.</li>
    <li>Databases lie in the page cache unless the row says otherwise.</li>
    <li><code>Scripts/bench --row NAME</code> repeats one row.</li>
    </ul>

    """
}
