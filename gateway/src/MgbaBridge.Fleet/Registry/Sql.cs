using Npgsql;
using NpgsqlTypes;

namespace MgbaBridge.Fleet.Registry;

/// <summary>Parameters with a type, which are not boxed.</summary>
internal static class Sql
{
    public static NpgsqlParameter Text(string value) => new NpgsqlParameter<string> { TypedValue = value };

    public static NpgsqlParameter Integer(int value) => new NpgsqlParameter<int> { TypedValue = value };

    public static NpgsqlParameter Long(long value) => new NpgsqlParameter<long> { TypedValue = value };

    public static NpgsqlParameter Id(Guid value) => new NpgsqlParameter<Guid> { TypedValue = value };

    public static NpgsqlParameter Bytes(byte[] value) => new NpgsqlParameter<byte[]> { TypedValue = value };

    public static NpgsqlParameter OptionalBytes(byte[]? value) => new() { NpgsqlDbType = NpgsqlDbType.Bytea, Value = (object?)value ?? DBNull.Value };

    public static NpgsqlParameter Hashes(byte[][] values) => new NpgsqlParameter<byte[][]> { TypedValue = values };

    public static NpgsqlParameter Time(TimeSpan value) => new NpgsqlParameter<TimeSpan> { TypedValue = value, NpgsqlDbType = NpgsqlDbType.Interval };

    public static NpgsqlParameter Texts(string[] values) => new NpgsqlParameter<string[]> { TypedValue = values };

    public static NpgsqlParameter Longs(long[] values) => new NpgsqlParameter<long[]> { TypedValue = values };

    public static NpgsqlParameter Integers(int[] values) => new NpgsqlParameter<int[]> { TypedValue = values };

    public static NpgsqlParameter Ids(Guid[] values) => new NpgsqlParameter<Guid[]> { TypedValue = values };

    public static NpgsqlParameter OptionalText(string? value) => new() { NpgsqlDbType = NpgsqlDbType.Text, Value = (object?)value ?? DBNull.Value };

    /// <summary>Reads resources from a column and the next one.</summary>
    public static JobResources ReadResources(NpgsqlDataReader row, int column) => new(row.IsDBNull(column) ? null : row.GetDouble(column), row.IsDBNull(column + 1) ? null : row.GetInt32(column + 1));

    public static NpgsqlParameter OptionalNumber(double? value) => new() { NpgsqlDbType = NpgsqlDbType.Double, Value = (object?)value ?? DBNull.Value };
}
