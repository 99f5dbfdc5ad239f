import asyncio
import concurrent.futures
import os
import sys
import threading
from tally import calls, returns, show, tally

def fib(n):
    with tally("fib"):
        return n if n < 2 else fib(n - 1) + fib(n - 2)

def raises(depth):
    with tally("raises"):
        if depth == 0:
            raise ValueError(depth)
        raises(depth - 1)

def numbers(n):
    with tally("numbers"):
        for i in range(n):
            yield i

def chained(n):
    with tally("chained"):
        yield from numbers(n)
        yield from numbers(n)

def stubborn():
    with tally("stubborn"):
        try:
            yield 1
            yield 2
        except (GeneratorExit, KeyError):
            pass

class Shop:
    def __init__(self, price):
        with tally("Shop.__init__"):
            self.price = price
    def pay(self, n, *rest, tip=1, **more):
        with tally("Shop.pay"):
            def add(a, b):
                with tally("Shop.pay.add"):
                    return a + b
            return add(self.price * n, tip)
    @staticmethod
    def name():
        with tally("Shop.name"):
            return "shop"
    @classmethod
    def make(cls, price):
        with tally("Shop.make"):
            return cls(price)
    @property
    def dear(self):
        with tally("Shop.dear"):
            return self.price > 10

async def waits(n):
    with tally("waits"):
        for _ in range(n):
            await asyncio.sleep(0)
        return n

async def ticks(n):
    with tally("ticks"):
        for i in range(n):
            await asyncio.sleep(0)
            yield i

async def both():
    with tally("both"):
        total = sum(await asyncio.gather(waits(3), waits(5)))
        async for i in ticks(4):
            total += i
        return total

def works(n):
    with tally("works"):
        return sum(fib(5) for _ in range(n))

def forked():
    with tally("forked"):
        return os.getpid()

def main():
    with tally("main"):
        fib(10)
        try:
            raises(3)
        except ValueError:
            pass
        list(chained(5))
        next(numbers(3))          # closed at once
        numbers(3)                # never begins
        unbegun = numbers(3)
        try:
            unbegun.throw(KeyError)
        except KeyError:
            pass
        for end in (lambda g: g.close(), lambda g: list(g), lambda g: next(g)):
            g = stubborn()
            next(g)
            end(g)
        g = stubborn()
        next(g)
        try:
            g.throw(KeyError)
        except StopIteration:
            pass
        del g
        shop = Shop.make(7)
        shop.pay(2), shop.pay(3, 4, 5, tip=2, note="x"), shop.name(), shop.dear
        asyncio.run(both())
        threads = [threading.Thread(target=works, args=(i,)) for i in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(works, [1, 2, 3]))
        child = os.fork()
        if child == 0:
            forked()
            os._exit(0)
        os.waitpid(child, 0)
        calls["forked"] += 1      # of the child
        returns["forked"] += 1

main()
show()
