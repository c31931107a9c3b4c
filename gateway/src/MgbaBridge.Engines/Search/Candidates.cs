using System.Numerics;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Engines.Search;

/// <summary>
/// The places of one range that may still be what is looked for, a bit each. Where numbers may overlap there is a row of bits for each offset within
/// a number, so that the numbers of a row are adjacent, as vector instructions require.
/// </summary>
internal sealed class Candidates
{
    private const int WordBits = 64;

    private readonly SearchValueType _form;
    private readonly int _width;
    private readonly int _step;
    private readonly ulong[][] _rows;

    /// <summary>All places of a range of this many bytes.</summary>
    public Candidates(in SearchValueType form, int length)
    {
        _form = form;
        _width = form.Type.Bytes();
        _step = Math.Min(form.Alignment, _width);
        _rows = new ulong[_width / _step][];
        for (var row = 0; row < _rows.Length; row++)
        {
            var numbers = Math.Max(0, length - (row * _step)) / _width;
            var bits = _rows[row] = new ulong[(numbers + WordBits - 1) / WordBits];
            for (var number = 0; number < numbers; number++)
            {
                bits[number / WordBits] |= number * _width % form.Alignment == 0 ? 1UL << (number % WordBits) : 0;
            }

            Count += bits.Sum(word => BitOperations.PopCount(word));
        }
    }

    private Candidates(Candidates other)
    {
        (_form, _width, _step, Count) = (other._form, other._width, other._step, other.Count);
        _rows = [.. other._rows.Select(static row => (ulong[])row.Clone())];
    }

    /// <summary>How many there are.</summary>
    public int Count { get; private set; }

    /// <summary>The most bytes that the bits of a range take.</summary>
    public static long MemoryFor(in SearchValueType form, long length) => ((length / Math.Min(form.Alignment, form.Type.Bytes())) + (WordBits * 4)) / 8;

    /// <summary>The same ones, whatever becomes of these.</summary>
    public Candidates Copy() => new(this);

    /// <summary>Strikes those that do not pass.</summary>
    public void Keep(in VectorTest test, ReadOnlySpan<byte> now, ReadOnlySpan<byte> earlier)
    {
        Count = 0;
        for (var row = 0; row < _rows.Length; row++)
        {
            CandidateFilter.Apply(_form, test, From(now, row), From(earlier, row), _rows[row]);
            foreach (var word in _rows[row])
            {
                Count += BitOperations.PopCount(word);
            }
        }
    }

    /// <summary>Offsets in order, without the first <paramref name="skip"/>.</summary>
    public IEnumerable<int> Offsets(int skip)
    {
        var words = _rows.Max(row => row.Length);
        for (var word = 0; word < words; word++)
        {
            var here = _rows.Sum(row => word < row.Length ? BitOperations.PopCount(row[word]) : 0);
            if (here <= skip)
            {
                skip -= here;
                continue;
            }

            foreach (var offset in OffsetsOf(word).Skip(skip))
            {
                yield return offset;
            }

            skip = 0;
        }
    }

    private IEnumerable<int> OffsetsOf(int word)
    {
        for (var bit = 0; bit < WordBits; bit++)
        {
            for (var row = 0; row < _rows.Length; row++)
            {
                if (word < _rows[row].Length && (_rows[row][word] >> bit & 1) != 0)
                {
                    yield return (((word * WordBits) + bit) * _width) + (row * _step);
                }
            }
        }
    }

    private ReadOnlySpan<byte> From(ReadOnlySpan<byte> bytes, int row) => bytes[Math.Min(row * _step, bytes.Length)..];
}
