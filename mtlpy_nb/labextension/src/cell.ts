// SPDX-License-Identifier: MIT
// A `%%metal` cell as a language: the magic's line is Python's, what follows is Metal's.

import { StreamLanguage, StreamParser, StringStream } from '@codemirror/language';
import { python } from '@codemirror/legacy-modes/mode/python';

import { metalParser } from './metal';
import words from './words.json';

const pythonParser = python as StreamParser<any>;

// As IPython sees it: blank lines may come before, and `%%metal_time` is another magic.
const MAGIC = /^\s*%%metal(?=\s|$)/;

// More white space than this before a magic is not looked through.
const MAGIC_IS_WITHIN = 200;

/** Whether a cell is Metal's; `start` is its text or at least the beginning of it. */
export function isMetalCell(start: string): boolean {
  return MAGIC.test(start.slice(0, MAGIC_IS_WITHIN));
}

isMetalCell.looksAt = MAGIC_IS_WITHIN;

interface CellState {
  /** Where the parser is: before the magic, in its options, in the expression after them, or in Metal. */
  place: 'blank' | 'options' | 'value' | 'expression' | 'metal';
  python: any;
  metal: any;
}

/** Options go on up to the first word that is none and no option's value; the rest of the line is Python's. */
function magicLine(stream: StringStream, state: CellState): string | null {
  if (state.place !== 'expression' && stream.eatSpace()) {
    return null;
  }
  if (state.place === 'blank') {
    stream.match('%%metal');
    state.place = 'options';
    return 'meta';
  }
  if (state.place === 'value') {
    stream.match(/^\S+/);
    state.place = 'options';
    return null;
  }
  // Up to the value: of its own word, after `=`, or after the one letter.
  const option = state.place === 'options' && (stream.match(/^(--[\w-]+|-\w)(=?)/) as RegExpMatchArray | null);
  if (option) {
    const isWhole = option[2] === '' && (stream.eol() || /\s/.test(stream.peek()!));
    state.place = isWhole && words.flag.includes(option[1]) ? 'options' : 'value';
    return 'attributeName';
  }
  state.place = 'expression';
  return pythonParser.token(stream, state.python);
}

export const metalCell = StreamLanguage.define<CellState>({
  name: 'metal-cell',
  startState: unit => ({
    place: 'blank',
    python: pythonParser.startState!(unit),
    metal: metalParser.startState!(unit)
  }),
  copyState: state => ({
    place: state.place,
    python: { ...state.python, scopes: state.python.scopes.slice() },
    metal: { ...state.metal }
  }),
  token: (stream, state) => {
    if (stream.sol() && state.place !== 'blank') {
      state.place = 'metal';
    }
    return state.place === 'metal' ? metalParser.token(stream, state.metal) : magicLine(stream, state);
  },
  indent: (state, textAfter, context) =>
    state.place === 'metal' ? metalParser.indent!(state.metal, textAfter, context) : 0,
  languageData: metalParser.languageData,
  tokenTable: metalParser.tokenTable
});
