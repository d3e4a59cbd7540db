# SPDX-License-Identifier: 0BSD
"""The program's prices by QuantLib and, for paths, by NumPy and SciPy, with the time of each.
python3 compare/quantlib_prices.py VOLATILITY [PATHS]   needs QuantLib, numpy and scipy"""
import sys
import time

import numpy
import QuantLib as ql
from scipy.stats import norm, qmc

SPOT, STRIKE, RATE, YEARS, DATES = 86.48, 85.0, 0.04, 0.25, 16
VOLATILITY = float(sys.argv[1])
PATHS = int(sys.argv[2]) if len(sys.argv) > 2 else 65536


def timed(name, function):
    begin = time.perf_counter()
    price = function()
    print(f'{name:34} {price:10.5f} {1e3 * (time.perf_counter() - begin):9.1f} ms')


def process(spot, rate, volatility, today, days):
    ql.Settings.instance().evaluationDate = today
    return ql.BlackScholesProcess(
        ql.QuoteHandle(ql.SimpleQuote(spot)),
        ql.YieldTermStructureHandle(ql.FlatForward(today, rate, days)),
        ql.BlackVolTermStructureHandle(ql.BlackConstantVol(today, ql.NullCalendar(), volatility, days)))


def quantlib():
    # 90 days of a year of 360 are 0.25 years.
    today, days = ql.Date(18, 8, 2026), ql.Actual360()
    end = today + int(360 * YEARS)
    model = process(SPOT, RATE, VOLATILITY, today, days)
    call = ql.VanillaOption(ql.PlainVanillaPayoff(ql.Option.Call, STRIKE), ql.EuropeanExercise(end))
    put = ql.VanillaOption(ql.PlainVanillaPayoff(ql.Option.Put, STRIKE),
                           ql.AmericanExercise(today, end))

    def priced(option, engine):
        option.setPricingEngine(engine)
        return option.NPV()

    timed('QuantLib closed form', lambda: priced(call, ql.AnalyticEuropeanEngine(model)))
    for name, traits, bridge in (('random', 'pseudorandom', False), ('Sobol', 'lowdiscrepancy', True)):
        timed(f'QuantLib {name}, {PATHS} paths', lambda: priced(call, ql.MCEuropeanEngine(
            model, traits, timeSteps=DATES, brownianBridge=bridge, requiredSamples=PATHS, seed=1)))
    timed('QuantLib finite differences put', lambda: priced(put, ql.FdBlackScholesVanillaEngine(
        model, 1000, 1000)))
    timed(f'QuantLib Longstaff-Schwartz, {PATHS}', lambda: priced(put, ql.MCAmericanEngine(
        model, 'pseudorandom', timeSteps=50, requiredSamples=PATHS, seed=1,
        nCalibrationSamples=4096)))


def payoffs(normal):
    step = YEARS / DATES
    walk = numpy.cumsum(normal, 1, dtype=numpy.float32)
    price = SPOT * numpy.exp((RATE - VOLATILITY**2 / 2) * step * numpy.arange(1, DATES + 1, dtype=numpy.float32)
                             + numpy.float32(VOLATILITY * step**0.5) * walk)
    asian = numpy.maximum(price.mean(1) - STRIKE, 0).mean(dtype=float)
    return numpy.exp(-RATE * YEARS) * numpy.maximum(price[:, -1] - STRIKE, 0).mean(dtype=float), asian


quantlib()
generator = numpy.random.Generator(numpy.random.Philox(1))
timed(f'NumPy Philox, {PATHS} paths', lambda: payoffs(
    generator.standard_normal((PATHS, DATES), numpy.float32))[0])
timed(f'SciPy Sobol, {PATHS} paths', lambda: payoffs(
    norm.ppf(qmc.Sobol(DATES, seed=1).random(PATHS)).astype(numpy.float32))[0])
