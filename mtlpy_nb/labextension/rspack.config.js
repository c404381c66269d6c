// SPDX-License-Identifier: MIT
// What the builder's own settings leave to chance: numbers of modules that depend on where the folder lies would make
// every machine's built files differ.
module.exports = { optimization: { moduleIds: 'natural', chunkIds: 'natural' } };
