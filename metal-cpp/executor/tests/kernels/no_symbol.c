// SPDX-License-Identifier: MIT

int nothing_of_interest = 1;
