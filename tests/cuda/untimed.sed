# SPDX-License-Identifier: BSD-3-Clause
# Deletes the lines in which a program prints what it measured: times, rates, and its process.
/[Tt][Ii][Mm][EeIi]/d
/[Ee]lapsed/d
/[Ss]econds/d
/per second/d
/TOOK/d
/took/d
/[Bb]andwidth/d
/[Pp]erformance/d
/[Tt]hroughput/d
/[0-9] *([mun]\{0,1\}s)/d
/[0-9] *[mun]\{0,1\}s[,:. )]/d
/[0-9] *[mun]\{0,1\}s$/d
/[0-9] *[mun]\{0,1\}sec\>/d
/[KMGT]\{0,1\}[Bb]ytes*\/s/d
/[KMGT][iB]*\/s/d
/FLOP/d
/GFlop/d
/[a-z]\/sec\>/d
/[Ss]amples\/s\>/d
/[Cc]locks/d
/Execution:/d
/SEND .*BACK:/d
