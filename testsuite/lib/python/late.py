import time

def tick(n):
    return n

for n in range(1000):
    tick(n)
    time.sleep(0.02)
